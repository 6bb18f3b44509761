// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates

import {
  createMemoryRunLog,
  type JsonValue,
  type NodeRun,
  type NodeStatus,
  type RowRun,
  type RunInfo,
  type RunLog,
} from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { parseEval } from '../eval-file/parse-eval.ts';
import type { EvalResult, MetricResult } from '../eval-result/eval-result.ts';
import { evaluators } from '../evaluators/evaluators.ts';
import { joinData } from './join-data.ts';
import { scoreRun } from './score-run.ts';

const info = runInfo({
  nodes: [
    { name: 'find', kind: 'lookup' },
    ...[1, 2].map((iteration) => {
      return { name: `agent_${iteration}`, kind: 'llm', loop: 'loop', family: 'agent', iteration };
    }),
  ],
  outputs: [{ name: 'answer', reads: 'agent_2' }],
});

/** `find:a agent_1:b agent_2:-`: output of a node, or `-` bypassed, `!` failed, `?` not run; a row that ends in `!` failed. */
function storeOf(
  rows: readonly (readonly [line: number, repeat: number, text: string])[],
  more: Partial<RunInfo> = {},
): RunLog {
  const store = createMemoryRunLog({ ...info, ...more });
  const statuses: Readonly<Record<string, NodeStatus>> = { '-': 'Bypassed', '!': 'Failed', '?': 'NotRun' };
  for (const [line, repeat, text] of rows) {
    const nodes = text.split(' ').map((part): NodeRun => {
      const [node = '', said = ''] = part.split(':');
      const status = statuses[said] ?? 'Completed';
      const output: JsonValue = status === 'Bypassed' ? null : said;
      return { line, repeat, node, kind: 'x', status, ...(status === 'Completed' ? { output, durationMs: 2 } : {}) };
    });
    const failed = nodes.some(({ status }) => status === 'Failed');
    const row: RowRun = {
      line,
      repeat,
      inputs: { q: `q${line}` },
      startedAt: 0,
      durationMs: 7,
      status: failed ? 'Failed' : 'Completed',
      outputs: failed ? {} : { answer: nodes.at(-1)?.output ?? null },
    };
    void store.append(nodes, row);
  }
  return store;
}

async function scored(store: RunLog, metrics: string, data?: readonly JsonValue[]): Promise<EvalResult> {
  const { spec, diagnostics } = parseEval({ path: 'eval.yaml', text: `run: r\nmetrics:\n${metrics}` }, { evaluators });
  if (spec === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const rows = async function* () {
    for (const [line, values] of (data ?? []).entries()) yield [{ line, values: values as Record<string, JsonValue> }];
  };
  return await scoreRun(spec, store, {
    name: 'e',
    ...(data === undefined ? {} : { data: joinData(rows(), info, true) }),
  });
}

function told({ summary, scores }: MetricResult) {
  const reasons = Object.fromEntries(summary.unscored.map(({ reason, count }) => [reason, count]));
  return { mean: summary.mean, values: scores.values, reasons, errors: summary.errors };
}

test('a row without a score is counted with its reason, and neither passes nor fails', async () => {
  const store = storeOf([
    [0, 0, 'find:a agent_1:x agent_2:y'],
    [1, 0, 'find:b agent_1:x agent_2:-'],
    [2, 0, 'find:! agent_1:? agent_2:?'],
    [3, 0, 'find:c agent_1:x agent_2:y'],
    [4, 0, 'find:c agent_1:! agent_2:?'],
    [5, 0, 'find:d agent_1:x agent_2:y'],
  ]);
  const data = [{ e: 'a' }, { e: 'x' }, { e: 'a' }, { e: null }, { e: 'c' }, {}];
  const { rows, metrics } = await scored(
    store,
    `- {name: node, on: find, evaluator: equals, expected: "\${row.e}"}
- {name: turn, on: agent_2, evaluator: equals, expected: y}
- {name: output, on: outputs.answer, evaluator: equals, expected: y}
- {name: steps, on: "agent[*]", evaluator: steps_used}`,
    data,
  );
  expect(rows).toEqual({ total: 6, completed: 4, failed: 2, unfinished: 0, repeats: 1 });
  expect(metrics.map(told)).toEqual([
    { mean: 0.5, values: [1, 0, 0, 1], reasons: { 'node failed': 1, 'no expectation': 1 }, errors: 1 },
    { mean: 1, values: [1, 1, 1], reasons: { 'node not run': 2, 'node bypassed': 1 }, errors: 2 },
    { mean: 0.75, values: [1, 0, 1, 1], reasons: { 'row failed': 2 }, errors: 2 },
    { mean: 1.75, values: [2, 1, 2, 2], reasons: { 'node not run': 1, 'node failed': 1 }, errors: 2 },
  ]);
});

test('a family is scored turn by turn; its mean is that of the rows', async () => {
  const store = storeOf([
    [0, 0, 'find:a agent_1:right agent_2:right'],
    [1, 0, 'find:a agent_1:wrong agent_2:-'],
  ]);
  const { metrics } = await scored(store, '- {name: turn, on: "agent[*]", evaluator: equals, expected: right}');
  expect(metrics[0]?.scores).toEqual({
    lines: [0, 0, 1],
    repeats: [0, 0, 0],
    iterations: [1, 2, 1],
    values: [1, 1, 0],
  });
  expect(metrics[0]?.summary.mean).toBe(0.5);
  expect(metrics[0]?.iterations?.map(({ iteration, mean, scored: n }) => [iteration, mean, n])).toEqual([
    [1, 0.5, 2],
    [2, 1, 1],
  ]);
});

test('a repeated row counts once, however often it was run', async () => {
  const store = storeOf([
    [0, 0, 'find:a agent_1:x agent_2:y'],
    [0, 1, 'find:a agent_1:x agent_2:z'],
    [0, 2, 'find:a agent_1:x agent_2:z'],
    [0, 3, 'find:a agent_1:x agent_2:z'],
    [1, 0, 'find:a agent_1:x agent_2:y'],
  ]);
  const { rows, metrics } = await scored(store, '- {name: right, on: outputs.answer, evaluator: equals, expected: y}');
  expect([rows.repeats, metrics[0]?.summary.mean, metrics[0]?.summary.scored]).toEqual([4, (0.25 + 1) / 2, 5]);
});

test('without data the inputs of the run are the rows', async () => {
  const store = storeOf([[0, 0, 'find:q0 agent_1:x agent_2:y']]);
  const { metrics } = await scored(store, '- {name: same, on: find, evaluator: equals, expected: "${row.q}"}');
  expect(metrics[0]?.summary.mean).toBe(1);
});

test('what was taken from an earlier run has no latency', async () => {
  const rows = [[0, 0, 'find:a agent_1:x agent_2:y']] as const;
  const metrics = `- {name: node, on: find, evaluator: latency}
- {name: turns, on: "agent[*]", evaluator: latency}
- {name: row, evaluator: latency}`;
  const { metrics: ran } = await scored(storeOf(rows), metrics);
  expect(ran.map((metric) => told(metric).values)).toEqual([[2], [4], [7]]);
  const store = storeOf([], { options: { since: 'before' } });
  const base = { line: 0, kind: 'x', status: 'Completed', output: 1, durationMs: 1 } as const;
  void store.append(
    [
      { ...base, node: 'find', cache: 'hit' },
      { ...base, node: 'agent_1', cache: 'miss' },
    ],
    { line: 0, status: 'Completed', inputs: {}, outputs: {}, startedAt: 0, durationMs: 1 },
  );
  const { metrics: taken } = await scored(store, metrics);
  expect(taken.map((metric) => told(metric).reasons)).toEqual([
    { 'taken from an earlier run': 1 },
    {},
    { 'taken from an earlier run': 1 },
  ]);
});

test('a gate allows no row that lacks a score because something failed, unless it says how many', async () => {
  const rows = [
    [0, 0, 'find:a agent_1:x agent_2:y'],
    [1, 0, 'find:! agent_1:? agent_2:?'],
  ] as const;
  const gates = ['{min: 0.5}', '{min: 0.5, errors: 1}', '{max: 0.5, errors: 1}'];
  const { metrics } = await scored(
    storeOf(rows),
    gates
      .map((gate, at) => `- {name: g${at}, on: outputs.answer, evaluator: equals, expected: y, gate: ${gate}}`)
      .join('\n'),
  );
  expect(metrics.map(({ gate }) => [gate?.passed, gate?.reason])).toEqual([
    [false, '1 row has no score because something failed there or nothing was run; none is allowed'],
    [true, 'the mean of 1 score is 1'],
    [false, 'the mean of 1 score is 1, above 0.5'],
  ]);
});

test('of a run that was stopped it is told how many rows are missing', async () => {
  const metrics = '- {name: right, on: outputs.answer, evaluator: equals, expected: y}';
  const one = [[0, 0, 'find:a agent_1:x agent_2:y']] as const;
  const stopped = await scored(storeOf(one, { data: { total: 9 } }), metrics);
  const whole = await scored(storeOf(one, { data: { total: 1 } }), metrics);
  expect([stopped.rows.planned, whole.rows.planned]).toEqual([9, undefined]);
});

test('rows that the run was to have and has not are errors of every metric: a part of a run passes no gate', async () => {
  const store = storeOf([[0, 0, 'find:a agent_1:x agent_2:y']], { data: { total: 3 } } as Partial<RunInfo>);
  const { metrics } = await scored(store, '- {name: m, on: find, evaluator: equals, expected: a, gate: {min: 1}}');
  expect(metrics.map(({ summary, gate }) => [summary.mean, summary.unscored, summary.errors, gate])).toEqual([
    [
      1,
      [{ reason: 'row not run', count: 2 }],
      2,
      {
        rule: 'min 1',
        passed: false,
        reason: '2 rows have no score because something failed there or nothing was run; none is allowed',
      },
    ],
  ]);
});

test('an error tells its rows, any other reason its number alone', async () => {
  const store = storeOf([
    [0, 0, 'find:a agent_1:x agent_2:y'],
    [1, 1, 'find:! agent_1:? agent_2:?'],
    [2, 0, 'find:- agent_1:? agent_2:?'],
  ]);
  const { metrics } = await scored(store, '- {name: m, on: find, evaluator: equals, expected: a}');
  expect(metrics[0]?.summary.unscored).toEqual([
    { reason: 'node failed', count: 1, rows: [{ line: 1, repeat: 1 }] },
    { reason: 'node bypassed', count: 1 },
  ]);
});

test.for<[metric: string, nothingAt: MetricResult['nothingAt'], isPassed: boolean]>([
  ['on: find.nme, evaluator: not_equals, expected: x', { path: 'find.nme', missing: 'nme', known: ['name'] }, false],
  ['on: find.nme, evaluator: equals, expected: null', { path: 'find.nme', missing: 'nme', known: ['name'] }, true],
  ['on: find.name, evaluator: equals, expected: n', undefined, true],
  ['on: find, evaluator: not_equals, expected: n', undefined, true],
])('nothing in any row where a metric looks: %s', async ([metric, nothingAt, isPassed]) => {
  const store = createMemoryRunLog(info);
  for (const line of [0, 1]) {
    const node = { line, repeat: 0, node: 'find', kind: 'x', status: 'Completed', output: { name: 'n' } } as const;
    const row = { line, repeat: 0, inputs: {}, outputs: {}, startedAt: 0, durationMs: 1 };
    void store.append([node], { ...row, status: 'Completed' });
  }
  const { metrics } = await scored(store, `- {name: m, ${metric}, gate: {min: 1}}`);
  expect([metrics[0]?.nothingAt, metrics[0]?.gate?.passed]).toEqual([nothingAt, isPassed]);
});

test('attempts that failed are errors of the chance that one passes too', async () => {
  const ok = 'find:a agent_1:b agent_2:yes';
  const store = storeOf([
    [0, 0, ok],
    [0, 1, ok],
    [1, 0, 'find:a agent_1:! agent_2:?'],
    [1, 1, 'find:a agent_1:! agent_2:?'],
  ]);
  const { metrics } = await scored(
    store,
    '- {name: right, on: outputs.answer, evaluator: equals, expected: yes}\n' +
      '- {name: once, evaluator: pass@2, of: right, gate: {min: 0.5}}\n',
  );
  const [right, once] = metrics;
  expect(once?.summary).toMatchObject({ mean: 1, scored: 1, errors: 2, unscored: right?.summary.unscored });
  expect(once?.gate).toMatchObject({ passed: false, reason: expect.stringContaining('2 rows have no score') });
});

test.for<[written: string, on: string, passes: boolean]>([
  ['"${inputs.q}"', 'inputs.q', true],
  ['"${outputs.answer}"', 'agent_2', true],
  ['"${find}"', 'outputs.answer', false],
  ['"${find}"', 'find', true],
  ['["${find}", "${row.e}", x]', 'row', true],
  ['{a: "${find}", b: ["${row.e}"]}', 'row', true],
  ['"${agent[*]}"', 'row', true],
])('what is expected may be %s, for %s', async ([written, on, passes]) => {
  const values: Readonly<Record<string, JsonValue>> = {
    '["${find}", "${row.e}", x]': ['a', 'e', 'x'],
    '{a: "${find}", b: ["${row.e}"]}': { a: 'a', b: ['e'] },
    '"${agent[*]}"': ['b', 'c'],
  };
  const store = createMemoryRunLog(info);
  const nodes = ['find:a', 'agent_1:b', 'agent_2:c'].map((text): NodeRun => {
    const [node = '', output = ''] = text.split(':');
    return { line: 0, node, kind: 'x', status: 'Completed', output };
  });
  const answer = on === 'row' ? (values[written] ?? null) : 'c';
  const ended = { inputs: { q: 'q0' }, outputs: { answer }, startedAt: 0, durationMs: 1 };
  void store.append(nodes, { line: 0, status: 'Completed', ...ended });
  const target = on === 'row' ? 'outputs.answer' : on;
  const { metrics } = await scored(store, `- {name: m, on: "${target}", evaluator: equals, expected: ${written}}`, [
    { e: 'e' },
  ]);
  expect(metrics.map(told)).toEqual([{ mean: passes ? 1 : 0, values: [passes ? 1 : 0], reasons: {}, errors: 0 }]);
});

test('what is expected of a node that failed is missing for that, and its row counts against a gate', async () => {
  const store = storeOf([[0, 0, 'find:! agent_1:x agent_2:y']]);
  const { metrics } = await scored(store, '- {name: m, on: agent_1, evaluator: equals, expected: "${find}"}');
  expect(metrics.map(told)).toEqual([{ mean: null, values: [], reasons: { 'row failed': 1 }, errors: 1 }]);
});
