import { expect, test } from 'vitest';
import type { Budget } from '../flow/flow-spec.ts';
import type { NodeType, PreparedNode } from '../node/node-type.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { readyFlow } from './made-flow.fixture.ts';
import type { RowOptions } from './run-flow.ts';

const connections = {
  find: (name: string) => ({ name, type: 'offline', configs: {}, secrets: {} }),
  names: () => ['c'],
};

interface LoopCase {
  readonly budget?: string;
  readonly onExhausted?: 'unfinished' | 'fail' | 'finalize';
  readonly row?: Budget;
  /** Iteration whose function node finishes. */
  readonly finishesAt?: number;
  /** Iteration whose call has tokens without a price. */
  readonly unpricedAt?: number;
  /** The node before the loop takes as much as a call. */
  readonly startSpends?: true;
}

/** Each call of `ask` takes 100 tokens, 0.01 dollars and 2 seconds. */
async function run(
  { budget, onExhausted = 'unfinished', row, finishesAt = 9, unpricedAt, startSpends }: LoopCase,
  options: RowOptions = {},
  startedAt = 0,
) {
  const text = `
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${search.output}"}
nodes:
  - {name: start, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: summary, type: python, connection: c, source: {type: code, path: x.ts}, inputs: {of: "\${search.output}"}}
loops:
  - name: search
    times: 4
    state: \${start.output}
    on_exhausted: ${onExhausted}
${budget === undefined ? '' : `    budget: ${budget}\n`}    nodes:
      - {name: ask, type: python, connection: c, source: {type: code, path: x.ts}, inputs: {of: "\${loop.state}"}}
      - {name: step, type: python, source: {type: code, path: x.ts}, inputs: {said: "\${ask.output.content}", state: "\${loop.state}"}}
${onExhausted === 'finalize' ? '    finalize: {name: last, type: python, source: {type: code, path: x.ts}, inputs: {state: "${loop.state}"}}' : ''}
`;
  const clock = { ms: startedAt };
  const type = typeOf((name) => bodyOf(name, finishesAt, clock, startSpends));
  const flow = await readyFlow(text, new Map([['python', type]]), {
    connections,
    now: () => clock.ms,
    fingerprints: true,
    ...(row === undefined ? {} : { rowBudget: row }),
    costOf: () => (node, usage) => ({
      dollars: usage.totalTokens / 10_000,
      isPartial: node === `ask_${unpricedAt}`,
    }),
  });
  const { row: ended, nodes } = await flow.runRow({ q: 'x' }, options);
  const of = (name: string) => nodes.find(({ node }) => node === name);
  const asked = nodes.filter(({ node, status }) => node.startsWith('ask') && status === 'Completed').length;
  return { ended, nodes, of, asked, output: of('search')?.output as Record<string, JsonValue> | undefined };
}

function typeOf(body: (node: string) => PreparedNode['run']): NodeType {
  return {
    name: 'python',
    version: 1,
    effects: 'pure',
    keys: [],
    inspect: () => ({ diagnostics: [], takesAnyInput: true, files: [] }),
    prepare: async ({ name }) => ({ parametersWithDefault: new Set(), run: body(name) }),
  };
}

function bodyOf(node: string, finishesAt: number, clock: { ms: number }, startSpends?: true): PreparedNode['run'] {
  const usage = { promptTokens: 90, completionTokens: 10, totalTokens: 100 };
  return (inputs) => {
    if (node === 'start') {
      const output = { finished: false, round: 0 };
      if (startSpends === undefined) return { ok: true, output };
      clock.ms += 2000;
      return { ok: true, output, report: { usage } };
    }
    if (node === 'last') return { ok: true, output: 'as far as I came' };
    if (node === 'summary') return { ok: true, output: 'in short', report: { usage } };
    if (node.startsWith('ask')) {
      clock.ms += 2000;
      return { ok: true, output: { content: 'call' }, report: { usage } };
    }
    return { ok: true, output: nextState(inputs, finishesAt) };
  };
}

function nextState(inputs: JsonObject, finishesAt: number): JsonValue {
  const state = inputs['state'] as { readonly finished: boolean; readonly round: number };
  if (state.finished) return state;
  if (inputs['said'] !== 'call') throw new Error('bug: a step without a message ran');
  const round = state.round + 1;
  return { ...state, round, ...(round === finishesAt ? { finished: true, content: 'yes' } : {}) };
}

const unfinished = { status: 'unfinished', answer: null };

test.for<[string, LoopCase, number, Record<string, JsonValue>]>([
  ['no budget', {}, 4, unfinished],
  ['tokens', { budget: '{tokens: 150}' }, 2, { ...unfinished, reason: 'budget reached: 200 of 150 tokens' }],
  ['tokens, to the last', { budget: '{tokens: 100}' }, 1, { reason: 'budget reached: 100 of 100 tokens' }],
  ['money', { budget: '{cost: 0.03}' }, 3, { reason: 'budget reached: $0.03 of $0.03' }],
  [
    'money, some tokens without a price',
    { budget: '{cost: 0.03}', unpricedAt: 1 },
    3,
    { reason: 'budget reached: $0.03 of $0.03 (partial)' },
  ],
  [
    'money of the row, some tokens without a price',
    { row: { cost: 0.03 }, unpricedAt: 2 },
    3,
    { reason: 'budget reached: $0.03 of $0.03 (partial) of the row' },
  ],
  ['seconds, a float', { budget: '{seconds: 2.0}' }, 1, { reason: 'budget reached: 2 of 2 s' }],
  ['what is not reached', { budget: '{tokens: 401}' }, 4, unfinished],
  [
    'tokens of the loop alone, not of what came before it',
    { budget: '{tokens: 200}', startSpends: true },
    2,
    { reason: 'budget reached: 200 of 200 tokens' },
  ],
  [
    'seconds of the loop alone',
    { budget: '{seconds: 4}', startSpends: true },
    2,
    { reason: 'budget reached: 4 of 4 s' },
  ],
  [
    'of the row, with what came before the loop',
    { row: { tokens: 300 }, startSpends: true },
    2,
    { reason: 'budget reached: 300 of 300 tokens of the row' },
  ],
  ['reached with the answer', { budget: '{tokens: 200}', finishesAt: 2 }, 2, { status: 'answered', answer: 'yes' }],
  ['of the row', { row: { tokens: 200 } }, 2, { reason: 'budget reached: 200 of 200 tokens of the row' }],
  [
    'the last step answers',
    { budget: '{tokens: 100}', onExhausted: 'finalize' },
    1,
    { finalized: true, answer: 'as far as I came', reason: 'budget reached: 100 of 100 tokens' },
  ],
])('%s: the loop lands', async ([, loop, asked, output]) => {
  const run1 = await run(loop);
  expect(run1.asked).toBe(asked);
  expect(run1.output).toMatchObject(output);
  expect(run1.ended.status).toBe('Completed');
  expect(run1.ended.unfinished).toEqual(
    output['status'] === 'answered' || output['finalized'] ? undefined : ['search'],
  );
  expect(run1.of('summary')?.output).toBe('in short');
});

test('after a budget is reached nodes are bypassed or hand the state on, and no later run takes what they gave', async () => {
  const { of } = await run({ budget: '{tokens: 200}' });
  expect([1, 2, 3, 4].map((iteration) => of(`ask_${iteration}`)?.status)).toEqual([
    ...['Completed', 'Completed', 'Bypassed', 'Bypassed'],
  ]);
  const landed = { round: 2, finished: null, budget_reached: '200 of 200 tokens' };
  expect([2, 3].map((iteration) => of(`step_${iteration}`)?.output)).toEqual([landed, landed]);
  expect(of('step_4')?.output).toEqual({ ...landed, finished: false });
  expect([1, 2, 3].map((iteration) => of(`step_${iteration}`)?.fingerprint !== undefined)).toEqual([
    true,
    false,
    false,
  ]);
  expect(of('step_2')).toMatchObject({
    notKept: 'a budget ended the loop',
    warnings: ["loop 'search' goes round no more: 200 of 200 tokens"],
  });
});

test('a loop that must not end unfinished fails and names its budget', async () => {
  const { ended } = await run({ budget: '{tokens: 100}', onExhausted: 'fail' });
  expect(ended.error).toMatchObject({
    code: 'LoopExhausted',
    message: "Loop 'search' reached its budget (100 of 100 tokens) and 'finished' of its state is still not true.",
  });
});

test('what an earlier attempt spent counts', async () => {
  const first = await run({});
  const finished = new Map(['start', 'ask_1', 'step_1'].map((name) => [name, first.of(name) as never]));
  const { asked, output } = await run({ budget: '{tokens: 200}' }, { finished });
  expect([asked, output?.['reason']]).toEqual([2, 'budget reached: 200 of 200 tokens']);
  const partial = await run({ budget: '{cost: 0.02}', unpricedAt: 1 }, { finished });
  expect(partial.output?.['reason']).toBe('budget reached: $0.02 of $0.02 (partial)');
});

test.for<LoopCase>([
  { budget: '{seconds: 3}' },
  { budget: '{seconds: 4}' },
  { budget: '{tokens: 150}' },
  { row: { seconds: 5 } },
  { row: { tokens: 200 }, budget: '{seconds: 6}' },
  { row: { tokens: 300 }, onExhausted: 'finalize' },
])('%j: stopped after any node and gone on with an hour later, a row ends as if it was not', async (loop) => {
  const whole = await run(loop);
  const completed = whole.nodes.filter(({ status }) => status === 'Completed');
  for (let kept = 0; kept <= completed.length; kept += 1) {
    const finished = new Map(completed.slice(0, kept).map((record) => [record.node, record]));
    const { nodes } = await run(loop, { finished }, 3_600_000);
    const shown = (all: typeof nodes) => all.map(({ node, status, output }) => [node, status, output]);
    expect(shown(nodes), `stopped after ${kept}`).toEqual(shown(whole.nodes));
  }
});

test('outside of a loop a node that asks a model fails once the row has no budget left', async () => {
  const text = `
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${three.output}"}
nodes:
  - {name: one, type: python, connection: c, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: two, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${one.output}"}}
  - {name: three, type: python, connection: c, source: {type: code, path: x.ts}, inputs: {q: "\${two.output}"}}
`;
  const type = typeOf(() => () => ({
    ok: true,
    output: 'x',
    report: { usage: { promptTokens: 60, completionTokens: 40, totalTokens: 100 } },
  }));
  const flow = await readyFlow(text, new Map([['python', type]]), { connections, rowBudget: { tokens: 150 } });
  const { row, nodes } = await flow.runRow({ q: 'x' });
  expect(nodes.map(({ status }) => status)).toEqual(['Completed', 'Completed', 'Failed']);
  expect(row.error).toMatchObject({
    code: 'BudgetReached',
    message: 'the budget of the row is spent: 200 of 150 tokens',
    node: 'three',
  });
});

test('nodes side by side that ended before the row was stopped are not refused for what they spent together', async () => {
  const usage = { promptTokens: 60, completionTokens: 40, totalTokens: 100 };
  const text = `
inputs:
  q: {type: string}
outputs:
  answer: {type: string, reference: "\${third.output}"}
nodes:
  - {name: one, type: python, connection: c, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: two, type: python, connection: c, source: {type: code, path: x.ts}, inputs: {q: "\${inputs.q}"}}
  - {name: third, type: python, source: {type: code, path: x.ts}, inputs: {q: "\${one.output}", r: "\${two.output}"}}
`;
  const type = typeOf(() => async () => ({ ok: true, output: 'x', report: { usage } }));
  const flow = await readyFlow(text, new Map([['python', type]]), { connections, rowBudget: { tokens: 100 } });
  const { row, nodes } = await flow.runRow({ q: 'x' });
  expect(row.status).toBe('Completed');
  const finished = new Map(nodes.slice(0, 2).map((record) => [record.node, record]));
  const again = await flow.runRow({ q: 'x' }, { finished });
  expect([again.row.status, again.row.outputs]).toEqual(['Completed', row.outputs]);
});
