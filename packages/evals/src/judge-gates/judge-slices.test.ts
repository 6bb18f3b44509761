import { expect, test } from 'vitest';
import { compareResults } from '../compare-scores/compare-results.ts';
import type { SliceGate } from '../eval-file/eval-spec.ts';
import type { EvalResult, SlicedColumn } from '../eval-result/eval-result.ts';
import { agentMade, madeResult } from '../testing/index.ts';
import { judgeBaseline } from './judge-baseline.ts';
import { judgeSlices } from './judge-slices.ts';

/** A column with a letter a row, and what the metric `m` came to in each: `-` is no score. */
function column(values: string, scores: string, leftOut?: SlicedColumn['leftOut']): SlicedColumn {
  const slices = [...new Set(values)].map((value) => {
    const lines = Array.from(values, (one, line) => (one === value ? line : -1)).filter((line) => line >= 0);
    const own = lines.flatMap((line) => (scores[line] === '-' ? [] : [Number(scores[line])]));
    const mean = own.length === 0 ? null : own.reduce((sum, one) => sum + one, 0) / own.length;
    return { value: value === '_' ? null : value, lines, metrics: [{ name: 'm', mean, scored: own.length }] };
  });
  return { column: 'g', slices, ...(leftOut === undefined ? {} : { leftOut }) };
}

function gateOf(result: EvalResult, gate: SliceGate) {
  return judgeSlices(result, () => gate).metrics[0]?.gate;
}

test.for<{ groups: string; scores: string; gate: SliceGate; passed: boolean; rule?: string; reason: string }>([
  {
    groups: 'aabb',
    scores: '1111',
    gate: { min: 0.5 },
    passed: true,
    rule: 'min 0.5 in each slice',
    reason: 'each of 2 slices by g keeps to it',
  },
  {
    groups: 'aabb_',
    scores: '11010',
    gate: { min: 0.8 },
    passed: false,
    reason: 'in g b the mean of 2 scores is 0.5, below 0.8; in g none the mean of 1 score is 0, below 0.8',
  },
  {
    groups: 'aabb_',
    scores: '11010',
    gate: { min: 0.8, rows: 2 },
    passed: false,
    reason: 'in g b the mean of 2 scores is 0.5, below 0.8; not judged for want of scores (2 are asked for): g none',
  },
  {
    groups: 'abcde',
    scores: '00000',
    gate: { min: 0.1 },
    passed: false,
    reason:
      'in g a the mean of 1 score is 0, below 0.1; in g b the mean of 1 score is 0, below 0.1; in g c the mean of 1 score is 0, below 0.1; and in 2 more slices',
  },
  {
    groups: 'ab',
    scores: '01',
    gate: { min: 0, max: 0.5 },
    passed: false,
    rule: 'min 0 in each slice, max 0.5 in each slice',
    reason: 'in g b the mean of 1 score is 1, above 0.5',
  },
  {
    groups: 'abc',
    scores: '000',
    gate: { min: 0.1 },
    passed: false,
    reason:
      'in g a the mean of 1 score is 0, below 0.1; in g b the mean of 1 score is 0, below 0.1; in g c the mean of 1 score is 0, below 0.1',
  },
  { groups: 'ab', scores: '11', gate: { min: 1, max: 1 }, passed: true, reason: 'each of 2 slices by g keeps to it' },
  { groups: 'ab', scores: '00', gate: { max: 0 }, passed: true, reason: 'each of 2 slices by g keeps to it' },
  {
    groups: 'ab',
    scores: '11',
    gate: { min: 0.5, rows: 5 },
    passed: false,
    reason: 'no slice is judged; not judged for want of scores (5 are asked for): g a and g b',
  },
  {
    groups: 'aa',
    scores: '--',
    gate: { min: 0 },
    passed: false,
    reason: 'no slice is judged; not judged for want of scores: g a',
  },
  { groups: 'aa', scores: '1-', gate: { min: 1 }, passed: true, reason: 'the one slice by g keeps to it' },
])('$groups with $scores and $gate: passed $passed', ({ groups, scores, gate, passed, rule, reason }) => {
  const judged = gateOf(madeResult([{ name: 'm', scores }], { slices: [column(groups, scores)] }), gate);
  expect(judged).toMatchObject({ passed, reason, ...(rule === undefined ? {} : { rule }) });
});

test('a slice that got worse fails though the whole did not', () => {
  const [was, is] = ['1'.repeat(12) + '0'.repeat(12), '0'.repeat(12) + '1'.repeat(12)];
  const now = madeResult([{ name: 'm', scores: is }], { slices: [column('a'.repeat(12) + 'b'.repeat(12), is)] });
  const result = compareResults(madeResult([{ name: 'm', scores: was }]), now);
  expect(result.metrics[0]?.comparison?.verdict).toBe('not significant');
  expect(gateOf(result, { noWorseThan: 'baseline' })).toMatchObject({
    rule: 'no worse than baseline in each slice',
    passed: false,
    reason: expect.stringMatching(
      /^in g a significantly worse: 100 % → 0 % over 12 rows \(−100 points, .*0 fixed, 12 broken\)$/,
    ),
  });
});

test('bounds alone do not ask for the baseline, though there is one', () => {
  const [was, is] = ['1'.repeat(24), '0'.repeat(24)];
  const now = madeResult([{ name: 'm', scores: is }], { slices: [column('a'.repeat(12) + 'b'.repeat(12), is)] });
  const result = compareResults(madeResult([{ name: 'm', scores: was }]), now);
  expect(gateOf(result, { max: 0.5 })).toEqual({
    rule: 'max 0.5 in each slice',
    passed: true,
    reason: 'each of 2 slices by g keeps to it',
  });
});

test('beside what is asked of the whole, both are told', () => {
  const own = { rule: 'min 0.2', passed: true, reason: 'the mean of 2 scores is 0.5' };
  const made = madeResult([{ name: 'm', scores: '01', gate: own }], { slices: [column('ab', '01')] });
  expect(gateOf(made, { min: 0.5 })).toEqual({
    rule: 'min 0.2, min 0.5 in each slice',
    passed: false,
    reason: 'in g a the mean of 1 score is 0, below 0.5',
  });
});

test('values that are not told apart, and slices that the baseline does not have, are named', () => {
  const slices = [column('aab', '111', { values: 3, rows: 7 })];
  const now = madeResult([{ name: 'm', scores: '111' }], { slices });
  const result = compareResults(madeResult([{ name: 'm', scores: '11' }]), now);
  expect(gateOf(result, { noWorseThan: 'baseline' })).toMatchObject({
    passed: true,
    reason:
      'the one slice by g keeps to it; not judged for want of rows in the baseline: g b; 3 more values of g, in 7 rows, not judged',
  });
});

test('other data without a key cannot be compared', () => {
  const run = (digest: string) => ({
    run: { id: 'r', flow: 'f', startedAt: 0, made: agentMade({ 'data.jsonl': digest }) },
  });
  const now = madeResult([{ name: 'm', scores: '11' }], { ...run('b'), slices: [column('ab', '11')] });
  const result = compareResults(madeResult([{ name: 'm', scores: '11' }], run('a')), now);
  expect(gateOf(result, { noWorseThan: 'baseline' })).toMatchObject({
    passed: false,
    reason: 'the data changed since the baseline was accepted and no key tells which row is which',
  });
});

test('without a baseline only bounds are judged; a metric of all rows at once has no slices', () => {
  const made = madeResult([{ name: 'm', scores: '11' }], { slices: [column('ab', '11')] });
  expect(gateOf(made, { noWorseThan: 'baseline' })).toBeUndefined();
  expect(gateOf(made, { noWorseThan: 'baseline', min: 0.5 })?.rule).toBe('min 0.5 in each slice');
  expect(gateOf(madeResult([{ name: 'other', scores: '11' }], { slices: [column('ab', '11')] }), { min: 0 })).toEqual({
    rule: 'min 0 in each slice',
    passed: false,
    reason: 'it is one figure over all rows, which slices have no part in',
  });
});

test.for<{ was: string; gate: SliceGate; passed: boolean; reason: string }>([
  {
    was: '',
    gate: { noWorseThan: 'baseline' },
    passed: false,
    reason: 'no slice is judged; not judged for want of rows in the baseline: g a, g b, g c and 1 more slice',
  },
  {
    was: '1111',
    gate: { noWorseThan: 'baseline', rows: 2 },
    passed: true,
    reason:
      'each of 2 slices by g keeps to it; not judged for want of rows in the baseline (2 are asked for): g c and g d',
  },
  {
    was: '11111',
    gate: { noWorseThan: 'baseline', min: 0.5, rows: 2 },
    passed: true,
    reason:
      'each of 4 slices by g keeps to it; not compared for want of rows in the baseline (2 are asked for): g c and g d',
  },
])('slices that the baseline has not enough of: $was rows with $gate', ({ was, gate, passed, reason }) => {
  const now = madeResult([{ name: 'm', scores: '11111111' }], { slices: [column('aabbccdd', '11111111')] });
  expect(gateOf(compareResults(madeResult([{ name: 'm', scores: was }]), now), gate)).toMatchObject({ passed, reason });
});

test('a metric that the baseline does not have is held to nothing yet, as the whole is', () => {
  const now = madeResult([{ name: 'm', scores: '11' }], { slices: [column('ab', '11')] });
  const result = compareResults(madeResult([{ name: 'other', scores: '11' }]), now);
  expect(gateOf(result, { noWorseThan: 'baseline' })).toEqual({
    rule: 'no worse than baseline in each slice',
    passed: true,
    reason: 'the baseline has no scores of it; accepting a new one guards it from then on',
  });
  expect(gateOf(result, { noWorseThan: 'baseline', min: 0.5 })).toMatchObject({
    passed: true,
    reason:
      'each of 2 slices by g keeps to it; the baseline has no scores of it; accepting a new one guards it from then on',
  });
});

test('that it is held to nothing yet is told once for the whole and its slices', () => {
  const now = madeResult([{ name: 'm', scores: '11' }], { slices: [column('ab', '11')] });
  const result = compareResults(madeResult([{ name: 'other', scores: '11' }]), now);
  const whole = judgeBaseline(result, () => ({ noWorseThan: 'baseline' }));
  expect(gateOf(whole, { noWorseThan: 'baseline' })).toEqual({
    rule: 'no worse than baseline, no worse than baseline in each slice',
    passed: true,
    reason: 'the baseline has no scores of it; accepting a new one guards it from then on',
  });
});

test('scores of another kind in the baseline are told as that', () => {
  const now = madeResult([{ name: 'm', scores: '11' }], { slices: [column('ab', '11')] });
  const result = compareResults(madeResult([{ name: 'm', kind: 'number', scores: [2, 3] }]), now);
  expect(gateOf(result, { noWorseThan: 'baseline' })).toMatchObject({
    passed: true,
    reason: 'the baseline has scores of another kind; accepting a new one guards it from then on',
  });
});
