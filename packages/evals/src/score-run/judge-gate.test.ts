import { expect, test } from 'vitest';
import type { GateSpec } from '../eval-file/eval-spec.ts';
import type { ScoreSummary } from '../eval-result/eval-result.ts';
import { judgeGate } from './judge-gate.ts';
import { rowMeans, summarizeScores } from './summarize-scores.ts';

const summary = (mean: number | null, errors = 0, scored = 4): ScoreSummary => ({ mean, scored, unscored: [], errors });
const gate = (bounds: Partial<GateSpec>): GateSpec => ({ errors: 0, ...bounds }) as GateSpec;

test.for<[what: string, bounds: Partial<GateSpec>, given: ScoreSummary, rule: string, passed: boolean, why: string]>([
  ['at the lower bound', { min: 0.5 }, summary(0.5), 'min 0.5', true, 'the mean of 4 scores is 0.5'],
  ['below it', { min: 0.5 }, summary(0.49999, 0, 1), 'min 0.5', false, 'the mean of 1 score is 0.49999, below 0.5'],
  ['at the upper bound', { max: 3 }, summary(3), 'max 3', true, 'the mean of 4 scores is 3'],
  ['above it', { max: 3 }, summary(1234.567), 'max 3', false, 'the mean of 4 scores is 1,235, above 3'],
  ['between both', { min: 0, max: 1 }, summary(0.25), 'min 0, max 1', true, 'the mean of 4 scores is 0.25'],
  ['nothing scored', { min: 0 }, summary(null), 'min 0', false, 'nothing was scored'],
  [
    'an error where none is allowed',
    { min: 0 },
    summary(1, 1),
    'min 0',
    false,
    '1 row has no score because something failed there or nothing was run; none is allowed',
  ],
  [
    'more errors than are allowed',
    { min: 0, errors: 1 },
    summary(1, 2),
    'min 0',
    false,
    '2 rows have no score because something failed there or nothing was run; 1 is allowed',
  ],
  [
    'many more',
    { min: 0, errors: 2 },
    summary(1, 5),
    'min 0',
    false,
    '5 rows have no score because something failed there or nothing was run; 2 are allowed',
  ],
  ['as many errors as are allowed', { min: 0, errors: 2 }, summary(1, 2), 'min 0', true, 'the mean of 4 scores is 1'],
])('a gate: %s', ([, bounds, given, rule, passed, reason]) => {
  expect(judgeGate(gate(bounds), given)).toEqual({ rule, passed, reason });
});

test('a gate without bounds judges nothing; what passes because nothing is there to read does not pass', () => {
  expect(judgeGate(gate({}), summary(0))).toBeUndefined();
  const reason = 'in no row anything stands where it looks';
  expect(judgeGate(gate({ min: 0 }), summary(1), { isUnread: true })).toEqual({ rule: 'min 0', passed: false, reason });
  expect(judgeGate(gate({ min: 2 }), summary(1), { isUnread: true })?.reason).toBe(
    'the mean of 4 scores is 1, below 2',
  );
});

test('a mean is over rows: of the means of their repetitions, of each the mean of its records', () => {
  const scores = {
    lines: [0, 0, 0, 1, 1, 4],
    repeats: [0, 0, 1, 0, 1, 0],
    iterations: [1, 2, 1, 1, 1, 2],
    values: [1, 0, 1, 0, 1, 1],
  };
  const means = (iteration?: number) => {
    const { means: values, lines, scored } = rowMeans(scores, iteration);
    return [[...lines], [...values], scored];
  };
  expect(means()).toEqual([[0, 1, 4], [0.75, 0.5, 1], 6]);
  expect(means(1)).toEqual([[0, 1], [1, 0.5], 4]);
  expect(means(2)).toEqual([[0, 4], [0, 1], 2]);
  expect(means(3)).toEqual([[], [], 0]);
  const none = { unscored: () => ({ unscored: [], errors: 3 }) };
  expect(summarizeScores(scores, none, { range: [0, 1] })).toMatchObject({ mean: 0.75, scored: 6, errors: 3 });
  expect(summarizeScores(scores, none, { range: [0, 1], iteration: 3 })).toEqual({
    mean: null,
    scored: 0,
    unscored: [],
    errors: 3,
  });
});

test.for<readonly [unit: 'ms' | 'tokens' | 'USD' | undefined, max: number, mean: number, rule: string, why: string]>([
  ['ms', 0.001, 11.3249, 'max 0.001 ms', 'the mean of 4 scores is 11.32 ms, above 0.001 ms'],
  ['ms', 1000, 1234.5678, 'max 1,000 ms', 'the mean of 4 scores is 1,235 ms, above 1,000 ms'],
  ['tokens', 999, 1000, 'max 999 tokens', 'the mean of 4 scores is 1,000 tokens, above 999 tokens'],
  ['USD', 0.001, 0.0012, 'max $0.001', 'the mean of 4 scores is $0.0012, above $0.001'],
  [undefined, 1000, 1000.00001, 'max 1,000', 'the mean of 4 scores is 1,000.00001, above 1,000'],
])('bounds and mean are told in %s', ([unit, max, mean, rule, why]) => {
  expect(judgeGate(gate({ max }), summary(mean), { unit })).toEqual({ rule, passed: false, reason: why });
});
