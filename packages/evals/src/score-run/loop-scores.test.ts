// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates

import { createMemoryRunLog, type NodeRun, type RunNode } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { parseEval } from '../eval-file/parse-eval.ts';
import { evaluators } from '../evaluators/evaluators.ts';
import { joinData } from './join-data.ts';
import { scoreRun } from './score-run.ts';

/** A writer that is an agent, twice, in a loop with code behind it; and an agent of its own. */
const nodes: readonly RunNode[] = [
  ...[1, 2].flatMap((iteration): readonly RunNode[] => [
    { name: `writer_${iteration}_plan_1`, kind: 'llm', loop: `writer_${iteration}`, family: 'plan', iteration: 1 },
    { name: `writer_${iteration}`, kind: 'python', loop: 'review', family: 'writer', iteration },
    { name: `reader_${iteration}`, kind: 'python', loop: 'review', family: 'reader', iteration },
  ]),
  { name: 'review', kind: 'python', loop: 'review', family: 'review', iteration: 0 },
  { name: 'help_plan_1', kind: 'llm', loop: 'help', family: 'help_plan', iteration: 1 },
  { name: 'help', kind: 'python', loop: 'help', family: 'help', iteration: 0 },
];

const usage = { promptTokens: 6, completionTokens: 4, totalTokens: 10 };

async function meansOf(metrics: string): Promise<readonly (number | null)[]> {
  const log = createMemoryRunLog(runInfo({ nodes }));
  const runs = nodes.map(({ name, kind }): NodeRun => {
    const more = kind === 'llm' ? { usage, durationMs: 5 } : { durationMs: 1 };
    return { line: 0, node: name, kind, status: 'Completed', inputs: {}, output: {}, ...more };
  });
  void log.append(runs, { line: 0, status: 'Completed', inputs: {}, outputs: {}, startedAt: 0, durationMs: 30 });
  const { spec } = parseEval({ path: 'eval.yaml', text: `run: r\nmetrics:\n${metrics}` }, { evaluators });
  if (spec === undefined) throw new Error('bug: no evaluation');
  const priceOf = () => 0.5;
  return (await scoreRun(spec, log, { name: 'e', priceOf })).metrics.map(({ summary }) => summary.mean);
}

test.for([
  ['review', 20, 15, 1],
  ['"writer[*]"', 20, 12, 1],
  ['writer_2', 10, 6, 0.5],
  ['help', 10, 6, 0.5],
  ['"reader[*]"', 0, 2, 0],
] as const)('what %s took is what all nodes took that are behind it', async ([on, tokens, latency, cost]) => {
  const metric = (evaluator: string): string => `- {name: ${evaluator}, on: ${on}, evaluator: ${evaluator}}\n`;
  expect(await meansOf(['tokens', 'latency', 'cost'].map(metric).join(''))).toEqual([tokens, latency, cost]);
});

test.for([
  ['steps_used', [0, 2, 2, 2, 2, 2, 1, 0, 2], 0],
  ['finished_at', [1, 1, 1, 1, 1, 1, 1, 2], 1],
] as const)('the interval of %s reaches no lower than its scores can', async ([evaluator, ends, least]) => {
  const log = createMemoryRunLog(runInfo({ nodes }));
  for (const [line, end] of ends.entries()) {
    const runs = [1, 2].map((iteration): NodeRun => {
      const of = { line, node: `reader_${iteration}`, kind: 'python', inputs: {} };
      if (evaluator === 'steps_used' && iteration > end) return { ...of, status: 'Bypassed', output: null };
      return { ...of, status: 'Completed', output: { finished: iteration >= end } };
    });
    void log.append(runs, { line, status: 'Completed', inputs: {}, outputs: {}, startedAt: 0, durationMs: 3 });
  }
  const text = `run: r\nmetrics:\n- {name: m, on: "reader[*]", evaluator: ${evaluator}}\n`;
  const { spec } = parseEval({ path: 'eval.yaml', text }, { evaluators });
  if (spec === undefined) throw new Error('bug: no evaluation');
  const [metric] = (await scoreRun(spec, log, { name: 'e' })).metrics;
  expect(metric?.summary.interval?.low).toBeGreaterThanOrEqual(least);
  expect(metric?.summary.scored).toBe(ends.length);
});

/** Where a row's loop ended, 0: never, `failed`: its row did; and where it should have. */
const ends: readonly (readonly [end: number | 'failed', due: number | null])[] = [
  [1, 1],
  [1, 2],
  [2, 1],
  [0, 2],
  [0, null],
  ['failed', 1],
];

async function familyOf(metrics: string, key = 'finished', of = nodes) {
  const log = createMemoryRunLog(runInfo({ nodes: of }));
  for (const [line, [end]] of ends.entries()) {
    const status = end === 'failed' ? 'Failed' : 'Completed';
    const runs = [1, 2].flatMap((iteration): readonly NodeRun[] => {
      const of = { line, kind: 'python', inputs: {} };
      const [writer, reader] = [`writer_${iteration}`, `reader_${iteration}`];
      if (end === 'failed') return iteration === 1 ? [{ ...of, node: writer, status: 'Failed' }] : [];
      const isOver = end > 0 && iteration > end;
      return [
        { ...of, node: writer, status: isOver ? 'Bypassed' : 'Completed', output: null },
        { ...of, node: reader, status: 'Completed', output: { [key]: end > 0 && iteration >= end } },
      ];
    });
    void log.append(runs, { line, status, inputs: {}, outputs: {}, startedAt: 0, durationMs: 3 });
  }
  const { spec } = parseEval({ path: 'eval.yaml', text: `run: r\nmetrics:\n${metrics}` }, { evaluators });
  if (spec === undefined) throw new Error('bug: no evaluation');
  const data = async function* () {
    for (const [line, [, due]] of ends.entries()) yield [{ line, values: { due } }];
  };
  const { families } = await scoreRun(spec, log, { name: 'e', data: joinData(data(), log.info, true) });
  return families.find(({ family }) => family === 'reader');
}

const due = '- {name: due, on: "reader[*]", evaluator: finished_at, expected: "${row.due}"}\n';
const steps = '- {name: steps, on: "reader[*]", evaluator: steps_used}\n';
const stopped = { right: 2, tooEarly: 1, tooLate: 1, never: 1 };

test('a loop is told by the metric that says when it should have ended', async () => {
  const family = await familyOf(`${steps}${due}`);
  expect(family?.stopped).toEqual(stopped);
  expect(family?.iterations.map(({ ran, finished }) => [ran, finished])).toEqual([
    [6, 2],
    [3, 1],
  ]);
  const nobodyKnows = [
    steps,
    '- {name: end, on: "reader[*]", evaluator: finished_at}\n',
    '- {name: other, on: "writer[*]", evaluator: finished_at, expected: "${row.due}"}\n',
  ];
  for (const metrics of nobodyKnows) expect((await familyOf(metrics))?.stopped).toBeUndefined();
});

test('by another property of the state, where that metric or the loop itself names one', async () => {
  const until = due.replace('expected:', 'until: done, expected:');
  expect((await familyOf(until, 'done'))?.stopped).toEqual(stopped);
  const untilDone = nodes.map((node) => (node.name === 'review' ? { ...node, until: 'done' } : node));
  expect((await familyOf(due, 'done', untilDone))?.stopped).toEqual(stopped);
  expect((await familyOf(steps, 'done', untilDone))?.iterations.map(({ finished }) => finished)).toEqual([2, 1]);
});
