import { expect, test } from 'vitest';
import type { NodeType } from '../node/node-type.ts';
import { checkFlow } from '../plan/check-flow.ts';
import { earlierRun } from '../record/earlier-run.ts';
import { createMemoryRunLog } from '../record/memory-run-log.ts';
import type { NodeRun } from '../record/node-run.ts';
import { runInfo } from '../testing/run-info.ts';
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

const place = { line: 4 };

/** Every node tells its name and what it was given; `calls` are those that ran, `other` writes on its calls. */
async function rig(change: (run: NodeRun) => NodeRun = (run) => run) {
  const calls: string[] = [];
  const type: NodeType = {
    name: 'python',
    version: 1,
    effects: 'writes',
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
  const { row, nodes } = await base.flow.runRow({ q: 'q' }, place);
  await store.append(nodes.map(change), row);
  return async (again: readonly string[], line = place.line) => {
    const before = earlierRun(store);
    const ready = await prepareFlow(plan, { ...options, since: before, rerun: { nodes: new Set(again), before } });
    if (!ready.ok) throw new Error(ready.error.message);
    calls.length = 0;
    const forecast = await ready.flow.forecastRow({ q: 'q' }, { line });
    const forecastCalls = [...calls];
    const result = await ready.flow.runRow({ q: 'q' }, { line });
    return {
      calls: [...calls],
      forecastCalls,
      forecast: Object.fromEntries(forecast.map(({ node, outcome }) => [node, outcome])),
      of: (name: string) => result.nodes.find(({ node }) => node === name),
    };
  };
}

test.for<[readonly string[], readonly string[]]>([
  [['second'], ['second', 'third', 'answer']],
  [['answer'], ['answer']],
  [['other'], ['other', 'answer']],
  [
    ['first', 'third'],
    ['first', 'second', 'third', 'answer'],
  ],
  [[], []],
])('%j run again: %j run, though all of them write; a forecast says so and runs none', async ([again, ran]) => {
  const { calls, forecast, forecastCalls } = await (await rig())(again);
  expect(calls.toSorted()).toEqual(ran.toSorted());
  expect(forecastCalls).toEqual([]);
  const said = Object.entries(forecast).flatMap(([node, outcome]) => (outcome === 'taken' ? [] : [node]));
  expect(said.toSorted()).toEqual(ran.toSorted());
});

test('what is taken says from where', async () => {
  const { of } = await (await rig())(['second']);
  expect(of('first')).toMatchObject({ cache: 'hit', cachedFrom: 'before', output: 'q first' });
  expect(of('other')).toMatchObject({ cache: 'hit', cachedFrom: 'before' });
  expect(of('second')).toMatchObject({ cache: 'miss', output: 'q first second' });
});

test('an output that was kept out of the record is made again', async () => {
  const run = await rig((one) => (one.node === 'first' ? { ...one, output: '***', redacted: ['output'] } : one));
  const { calls, of } = await run(['third']);
  expect(calls).toContain('first');
  expect(of('first')).toMatchObject({ output: 'q first' });
});

test('a row that the earlier run does not have runs', async () => {
  const { calls } = await (await rig())(['third'], 5);
  expect(calls.toSorted()).toEqual(['answer', 'first', 'other', 'second', 'third']);
});
