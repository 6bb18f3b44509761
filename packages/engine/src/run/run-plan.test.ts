import { expect, test } from 'vitest';
import type { NodeOutcome, NodeType } from '../node/node-type.ts';
import { checkFlow } from '../plan/check-flow.ts';
import type { Plan } from '../plan/plan.ts';
import { compilePlan } from './compile-plan.ts';
import { noConnections, noFiles } from './made-flow.fixture.ts';
import type { PlanRun } from './plan-run.ts';
import { prepareFlow } from './prepare-flow.ts';
import type { NodeEvent } from './run-event.ts';
import { runPlan } from './run-plan.ts';

/**
 * `a, b < a, c < a b if a is a` : `b` reads `a`, `c` reads both and runs where `a` gave "a". Each gives its name; one with `!`
 * fails, one with `~` ends when it is told to.
 */
function planOf(written: string, nodeTypes: ReadonlyMap<string, NodeType>): Plan {
  const nodes = written.split(', ').map((one) => {
    const [, name, , reads = '', when, is] =
      /^([a-z]+)([!~]*)(?: < ([a-z ]+?))?(?: if ([a-z]+) is ([a-z]+))?$/.exec(one) ?? [];
    const inputs = reads
      .split(' ')
      .filter((read) => read !== '')
      .map((read) => `${read}: "\${${read}.output}"`);
    const activate = when === undefined ? '' : `, activate: {when: "\${${when}.output}", is: ${is}}`;
    return `  - {name: ${name}, type: python, source: {type: code, path: x.ts}, inputs: {${inputs.join(', ')}}${activate}}\n`;
  });
  const last = /([a-z]+)[^,]*$/.exec(written)?.[1];
  const text = `inputs: {q: {type: string, default: x}}\noutputs: {o: {type: string, reference: "\${${last}.output}"}}\nnodes:\n${nodes.join('')}`;
  const { plan, diagnostics } = checkFlow(
    { path: 'flow.dag.yaml', text },
    { nodeTypes, files: noFiles, connections: noConnections },
  );
  if (plan === undefined) throw new Error(`bug: ${diagnostics.map(({ message }) => message).join('; ')}`);
  return plan;
}

/** @param ends nodes that are told to end, in this order, once all has started that can; `stop` aborts the row */
async function run(
  written: string,
  ends = '',
): Promise<PlanRun & { readonly told: string; readonly toldAtOnce: string }> {
  const waiting = new Map<string, () => void>();
  const marks = new Map(
    [...written.matchAll(/(?:^|, )([a-z]+)([!~]*)/g)].map(([, name = '', mark = '']) => [name, mark]),
  );
  const type: NodeType = {
    name: 'python',
    version: 1,
    effects: 'pure',
    keys: [],
    inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
    prepare: async ({ name }) => ({
      parametersWithDefault: new Set(),
      run: () => {
        const mark = marks.get(name) ?? '';
        const error = { code: 'E', message: `${name} failed`, retryable: false };
        const outcome: NodeOutcome = mark.includes('!') ? { ok: false, error } : { ok: true, output: name };
        if (!mark.includes('~')) return outcome;
        return new Promise((resolve) => waiting.set(name, () => resolve(outcome)));
      },
    }),
  };
  const nodeTypes = new Map([['python', type]]);
  const plan = planOf(written, nodeTypes);
  const prepared = await Promise.all(plan.nodes.map(({ definition }) => type.prepare(definition, {} as never)));
  const told: string[] = [];
  const onEvent = (event: NodeEvent): void => {
    if (event.type === 'node-started') told.push(event.node);
    if (event.type === 'node-ended') told.push(`${event.run.node}:${event.run.status}`);
  };
  const controller = new AbortController();
  const compiled = compilePlan(plan, prepared, new Set(plan.nodes.map(({ id }) => id)));
  const row = { runId: 'r', line: 0, signal: controller.signal, onEvent, now: () => 0 };
  const running = runPlan(compiled, { q: 'x' }, row);
  const toldAtOnce = told.join(' ');
  for (const name of ends.split(' ').filter((one) => one !== '')) {
    if (name === 'stop') controller.abort();
    else waiting.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { ...(await running), told: told.join(' '), toldAtOnce };
}

interface PlanCase {
  readonly plan: string;
  readonly ends?: string;
  /** What was started and how it ended, in order. */
  readonly told: string;
  readonly failed?: string;
}

test.for<PlanCase>([
  { plan: 'a, b < a, c < b', told: 'a a:Completed b b:Completed c c:Completed' },
  { plan: 'c < b, b < a, a', told: 'a a:Completed b b:Completed c c:Completed' },
  { plan: 'a, b, c < a b', told: 'a a:Completed b b:Completed c c:Completed' },
  { plan: 'a~, b~, c < a b', ends: 'b a', told: 'a b b:Completed a:Completed c c:Completed' },
  { plan: 'a~, b < a, c', ends: 'a', told: 'a c c:Completed a:Completed b b:Completed' },
  { plan: 'a, b < a if a is z, c < b', told: 'a a:Completed b:Bypassed c:Bypassed' },
  { plan: 'a, b < a if a is z, c < a b', told: 'a a:Completed b:Bypassed c c:Completed' },
  { plan: 'a, b < a if a is a', told: 'a a:Completed b b:Completed' },
  { plan: 'a!, b < a, c', told: 'a a:Failed', failed: 'a' },
  { plan: 'a~!, b, c < a', ends: 'a', told: 'a b b:Completed a:Failed', failed: 'a' },
  { plan: 'a~!, b~!, c < a b', ends: 'b a', told: 'a b b:Failed a:Failed', failed: 'b' },
  { plan: 'a~!, b~!, c < a b', ends: 'a b', told: 'a b a:Failed b:Failed', failed: 'a' },
  { plan: 'a~!, b~, c < b', ends: 'a b', told: 'a b a:Failed b:Completed', failed: 'a' },
])('$plan, ended in the order "$ends"', async ({ plan, ends, told, failed }) => {
  const ran = await run(plan, ends);
  expect([ran.told, ran.error?.node, ran.canceled]).toEqual([told, failed, false]);
  if (failed !== undefined) expect([ran.error?.message, ran.outputs]).toEqual([`${failed} failed`, {}]);
});

test.for<PlanCase>([
  { plan: 'a~, b < a', ends: 'stop a', told: 'a a:Completed' },
  { plan: 'a~, b < a', ends: 'stop', told: 'a a:Canceled', failed: 'a' },
  { plan: 'a~!, b~, c < b', ends: 'a stop', told: 'a b a:Failed b:Canceled', failed: 'a' },
])(
  '$plan, stopped: "$ends": nothing new starts, and what does not end is given up',
  async ({ plan, ends, told, failed }) => {
    const ran = await run(plan, ends);
    expect([ran.told, ran.error?.node, ran.canceled, ran.outputs]).toEqual([told, failed, true, {}]);
  },
);

test('nodes that answer at once have ended before anything else comes to its turn', async () => {
  const { told, toldAtOnce, outputs } = await run('a, b < a, c < a b');
  expect([toldAtOnce, outputs]).toEqual([told, { o: 'c' }]);
});

test('a node that throws is a bug, and no failure of the row', async () => {
  const type: NodeType = {
    name: 'python',
    version: 1,
    effects: 'pure',
    keys: [],
    inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
    prepare: async () => ({
      parametersWithDefault: new Set(),
      run: () => {
        throw new Error('bug: thrown');
      },
    }),
  };
  const nodeTypes = new Map([['python', type]]);
  const ready = await prepareFlow(planOf('a', nodeTypes), { nodeTypes, files: noFiles, connections: noConnections });
  if (!ready.ok) throw new Error(ready.error.message);
  await expect(ready.flow.runRow({ q: 'x' })).rejects.toThrow('bug: thrown');
});
