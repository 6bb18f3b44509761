import { expect, test } from 'vitest';
import type { NodeType } from '../node/node-type.ts';
import { checkFlow } from '../plan/check-flow.ts';
import { earlierRun } from '../record/earlier-run.ts';
import { createMemoryRunLog } from '../record/memory-run-log.ts';
import { runInfo } from '../testing/run-info.ts';
import type { JsonValue } from '../value/json.ts';
import { prepareFlow } from './prepare-flow.ts';

/** first -> second -> third -> answer, and beside them other -> answer. */
const text = `
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${answer.output}"}
nodes:
  - {name: first, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: second, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${first.output}"}}
  - {name: third, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${second.output}"}}
  - {name: other, type: python, cache: false, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: answer, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${third.output}", o: "\${other.output}"}}
`;

/** Every node appends its name to what it was given; `calls` are those that ran. */
async function rig() {
  const calls: string[] = [];
  const type: NodeType = {
    name: 'python',
    version: 1,
    effects: 'may write',
    keys: ['cache'],
    inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
    prepare: async ({ name }) => ({
      parametersWithDefault: new Set(),
      run: (inputs) => {
        calls.push(name);
        return { ok: true, output: `${String(inputs['q'])} ${name}` };
      },
    }),
  };
  const nodeTypes = new Map([['python', type]]);
  const files = {
    folder: '/',
    read: () => ({ path: 'x.ts', text: '' }),
    resolve: (path: string) => path,
    list: () => [],
  };
  const connections = { find: () => undefined, names: () => [] };
  const { plan, diagnostics } = checkFlow({ path: 'flow.dag.yaml', text }, { nodeTypes, files, connections });
  if (plan === undefined) throw new Error(`bug: ${diagnostics.map(({ message }) => message).join('; ')}`);
  const store = createMemoryRunLog(
    runInfo({
      id: 'before',
      nodes: plan.nodes.map(({ name }) => ({ name, kind: 'python' })),
    }),
  );
  const options = { nodeTypes, files, connections, fingerprints: true };
  const base = await prepareFlow(plan, options);
  if (!base.ok) throw new Error(base.error.message);
  const { row, nodes } = await base.flow.runRow({ q: 'q' }, { line: 4 });
  await store.append(nodes, row);
  calls.length = 0;
  return async (expected: Readonly<Record<string, JsonValue>>) => {
    const before = earlierRun(store);
    const ready = await prepareFlow(plan, {
      ...options,
      since: before,
      oracle: {
        nodes: new Set(Object.keys(expected)),
        expected: ({ node, line }) => (line === 4 ? { output: expected[node] ?? null } : undefined),
        before,
      },
    });
    if (!ready.ok) throw new Error(ready.error.message);
    const runRow = async (line: number) => {
      calls.length = 0;
      const result = await ready.flow.runRow({ q: 'q' }, { line });
      const of = (name: string) => result.nodes.find(({ node }) => node === name);
      return { answer: result.row.outputs['answer'], calls: [...calls], of };
    };
    return runRow;
  };
}

test.for<[Readonly<Record<string, JsonValue>>, string, readonly string[]]>([
  [{ second: 'GIVEN' }, 'GIVEN third answer', ['third', 'answer']],
  [{ answer: 'GIVEN' }, 'GIVEN', []],
  [{ first: 'A', third: 'GIVEN' }, 'GIVEN answer', ['second', 'answer']],
  [{ second: 'q first second' }, 'q first second third answer', []],
])('%o gives "%s"; of the others only what comes after runs', async ([expected, answer, ran]) => {
  const run = await (await rig())(expected);
  const row = await run(4);
  expect([row.answer, row.calls]).toEqual([answer, ran]);
});

test('the record says that the output was given, and nothing later takes it for the node’s own', async () => {
  const run = await (await rig())({ second: 'GIVEN' });
  const { of } = await run(4);
  expect(of('second')).toMatchObject({ output: 'GIVEN', oracle: true, notKept: 'its output was given' });
  expect(of('second')).not.toHaveProperty('fingerprint');
  expect(of('first')).toMatchObject({ cache: 'hit', cachedFrom: 'before' });
  expect(of('other')).toMatchObject({ cache: 'hit', cachedFrom: 'before' });
  expect(of('third')).toMatchObject({ cache: 'miss' });
});

test('a row of which nothing is expected runs', async () => {
  const run = await (await rig())({ second: 'GIVEN' });
  const row = await run(5);
  expect(row.answer).toBe('q first second third answer');
  expect(row.of('second')).not.toHaveProperty('oracle');
});
