import { join } from 'node:path';
import { checkFlow, createFlowFiles, parseFlow, prepareFlow, readSourceFile, stringifyFlow } from '@unroll/engine';
import { pythonNodeType } from '@unroll/nodes';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'loop-flow');
const written = readSourceFile(join(folder, 'flow.dag.yaml'), folder);
const expanded = { path: 'expanded.dag.yaml', text: expand() };

function expand(): string {
  const { spec } = parseFlow(written, { nodeTypes: ['python'] });
  if (spec === undefined) throw new Error('the flow of the test cannot be read');
  return stringifyFlow(spec);
}

async function run(file: typeof written, settled: number) {
  const options = {
    nodeTypes: new Map([['python', pythonNodeType()]]),
    files: createFlowFiles(folder, folder),
    connections: { find: () => undefined, names: () => [] },
  };
  const { plan, diagnostics } = checkFlow(file, options);
  expect(diagnostics).toEqual([]);
  if (plan === undefined) throw new Error('the flow of the test has no plan');
  const prepared = await prepareFlow(plan, options);
  if (!prepared.ok) throw new Error(prepared.error.message);
  await using flow = prepared.flow;
  const { row, nodes } = await flow.runRow({ query: 'q', settled });
  return { outputs: row.outputs, ran: nodes.filter(({ status }) => status === 'Completed').map(({ node }) => node) };
}

const failed = {
  name: 'find_1',
  arguments: { round: 1 },
  content: ['Error: there is no function find_1'],
  error: true,
};
const found = (round: number) => ({ name: `find_${round}`, content: ['found'] });
const functions = ['function_1', 'function_2', 'function_3'];

test.for([
  {
    settled: 1,
    result: { status: 'answered', answer: 'settled in round 1' },
    ran: ['start', 'agent_1', ...functions, 'search'],
  },
  {
    settled: 3,
    result: { status: 'answered', answer: 'settled in round 3' },
    ran: ['start', 'agent_1', 'agent_2', 'agent_3', ...functions, 'search'],
  },
  {
    settled: 4,
    result: {
      status: 'unfinished',
      finalized: true,
      answer: '3 results',
      function_results: [failed, found(2), found(3)],
    },
    ran: ['start', 'agent_1', 'agent_2', 'agent_3', ...functions, 'sum_up', 'search'],
  },
])('settled in round $settled: the loop and its expanded form run alike', async ({ settled, result, ran }) => {
  const looped = await run(written, settled);
  expect({ ...looped, ran: looped.ran.toSorted() }).toEqual({ outputs: { result }, ran: ran.toSorted() });
  expect(await run(expanded, settled)).toEqual(looped);
});
