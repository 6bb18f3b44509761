import { expect, test } from 'vitest';
import type { NodeType } from '../node/node-type.ts';
import { checkFlow } from '../plan/check-flow.ts';
import type { EarlierRun } from '../record/earlier-run.ts';
import { earlierRun } from '../record/earlier-run.ts';
import { createMemoryRunLog } from '../record/memory-run-log.ts';
import { runInfo } from '../testing/run-info.ts';
import { noConnections, noFiles } from './made-flow.fixture.ts';
import { type NodeWrapper, nodeWrappers } from './node-wrappers.ts';
import { prepareFlow } from './prepare-flow.ts';

const text = `
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${second.output}"}
nodes:
  - {name: first, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: second, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${first.output}"}}
`;

const type: NodeType = {
  name: 'python',
  version: 1,
  effects: 'may write',
  keys: [],
  inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
  prepare: async ({ name }) => ({
    parametersWithDefault: new Set(),
    run: async ({ q }) => {
      if (q === 'fail') return { ok: false, error: { code: 'Broken', message: 'no', retryable: false } };
      return { ok: true, output: `${String(q)} ${name}` };
    },
  }),
};

const given = {
  nodeTypes: new Map([['python', type]]),
  files: noFiles,
  connections: noConnections,
};

function readPlan() {
  const { plan } = checkFlow({ path: 'flow.dag.yaml', text }, given);
  if (plan === undefined) throw new Error('bug: the flow is wrong');
  return plan;
}

/** Tells when a node begins and how it ended, as one who keeps spans does. */
function spans(told: string[], mark = ''): NodeWrapper {
  return {
    name: 'spans',
    wrap: (prepared, { plan: { name } }) => ({
      ...prepared,
      run: async (inputs, call) => {
        told.push(`${mark}${name} of row ${call.line} begins`);
        const outcome = await prepared.run(inputs, call);
        told.push(`${mark}${name}: ${outcome.ok ? (outcome.report?.cache ?? 'ran') : outcome.error.code}`);
        return outcome;
      },
    }),
  };
}

async function run(q: string, wrappers: readonly NodeWrapper[], since?: EarlierRun) {
  const plan = readPlan();
  const reuse = since === undefined ? { fingerprints: true } : { since };
  const ready = await prepareFlow(plan, { ...given, ...reuse, wrappers });
  if (!ready.ok) throw new Error(ready.error.message);
  await using flow = ready.flow;
  return await flow.runRow({ q }, { line: 2 });
}

test('one more wrapper stands round all others: it sees each node begin and end, and what of an earlier run answers', async () => {
  const first: string[] = [];
  const { row, nodes } = await run('x', [spans(first)]);
  expect(first).toEqual(['first of row 2 begins', 'first: ran', 'second of row 2 begins', 'second: ran']);
  expect(row.outputs).toEqual({ answer: 'x first second' });
  const store = createMemoryRunLog(
    runInfo({
      id: 'before',
      nodes: nodes.map(({ node }) => ({ name: node, kind: 'python' })),
    }),
  );
  await store.append(nodes, row);
  const again: string[] = [];
  await run('x', [spans(again)], earlierRun(store));
  expect(again).toEqual(['first of row 2 begins', 'first: hit', 'second of row 2 begins', 'second: hit']);
  const failed: string[] = [];
  await run('fail', [spans(failed)]);
  expect(failed).toEqual(['first of row 2 begins', 'first: Broken']);
});

test('of several the last is the outermost', async () => {
  const told: string[] = [];
  await run('fail', [spans(told, 'inner '), spans(told, 'outer ')]);
  expect(told).toEqual([
    ...['outer first of row 2 begins', 'inner first of row 2 begins', 'inner first: Broken', 'outer first: Broken'],
  ]);
});

test('the wrappers of the engine have names and an order, the innermost first', () => {
  const names = nodeWrappers(readPlan(), { wrappers: [spans([])] }).map(({ name }) => name);
  expect(names).toEqual([
    'time limit',
    'reads',
    'cache',
    'depth limit',
    'redacted errors',
    'feed-back',
    'ended loop',
    'finished',
    'budget',
    'oracle',
    'rerun',
    'spans',
  ]);
});
