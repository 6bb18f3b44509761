import { expect, test } from 'vitest';
import type { EvalResult, SlicedColumn } from '../eval-result/eval-result.ts';
import { benjaminiHochberg } from '../statistics/multiple-tests.ts';
import { madeResult } from '../testing/index.ts';
import { randomScores } from '../testing/random-scores.ts';
import { compareResults } from './compare-results.ts';

/** A column whose values stand one letter a row. */
function column(values: string, metrics: readonly string[]): SlicedColumn {
  const slices = [...new Set(values)].map((value) => ({
    value,
    lines: Array.from(values, (one, line) => (one === value ? line : -1)).filter((line) => line >= 0),
    metrics: metrics.map((name) => ({ name, mean: null, scored: 0 })),
  }));
  return { column: 'g', slices };
}

function comparisonsOf({ slices = [] }: EvalResult) {
  return slices.flatMap((one) => one.slices.flatMap(({ metrics }) => metrics.map(({ comparison }) => comparison)));
}

const before = { name: 'right', scores: '1111111111110000' };
const after = { name: 'right', scores: '0000000000001111' };
const groups = 'aaaaaaaaaaaabbbb';

test('each slice is compared by its own rows', () => {
  const result = compareResults(madeResult([before]), madeResult([after], { slices: [column(groups, ['right'])] }));
  expect(comparisonsOf(result)).toMatchObject([
    { pairs: 12, before: 1, after: 0, difference: -1, verdict: 'worse', flips: { fixed: 0, broken: 12 } },
    { pairs: 4, before: 0, after: 1, difference: 1, verdict: 'not significant', flips: { fixed: 4, broken: 0 } },
  ]);
});

test('p values of all slices, metrics and columns are adjusted together; the whole is judged as without them', () => {
  const metrics = [before, { name: 'other', scores: '1111111111111111' }];
  const now = [after, { name: 'other', scores: '1111111111000000' }];
  const names = ['right', 'other'];
  const slices = [column(groups, names), column('xyxyxyxyxyxyxyxy', names)];
  const [plain, sliced] = [{}, { slices }].map((more) => compareResults(madeResult(metrics), madeResult(now, more)));
  const found = comparisonsOf(sliced as EvalResult);
  const adjusted = benjaminiHochberg(found.map((one) => one?.pValue ?? Number.NaN));
  expect(found.map((one) => one?.adjustedPValue)).toEqual(adjusted);
  for (const one of found)
    expect(one?.verdict === 'worse' || one?.verdict === 'better').toBe((one?.adjustedPValue ?? 1) < 0.05);
  expect(sliced?.metrics).toEqual(plain?.metrics);
  expect(sliced?.comparison).toEqual(plain?.comparison);
});

test('a metric that is new has no comparison in any slice, nor has a slice without rows of before', () => {
  const slices = [column('aaab', ['new', 'old'])];
  const now = madeResult(
    [
      { name: 'new', scores: '1111' },
      { name: 'old', scores: '1111' },
    ],
    { slices },
  );
  const result = compareResults(madeResult([{ name: 'old', scores: '111' }]), now);
  expect(comparisonsOf(result).map((one) => one?.verdict)).toEqual([undefined, 'same', undefined, undefined]);
});

test('rows that a key pairs are in the slice of their value now', () => {
  const keys = (values: readonly string[]) => ({ keys: { name: 'id', lines: values.map((_, line) => line), values } });
  const was = madeResult([{ name: 'right', scores: '10' }], keys(['x', 'y']));
  const is = madeResult([{ name: 'right', scores: '00' }], { ...keys(['y', 'x']), slices: [column('ab', ['right'])] });
  expect(comparisonsOf(compareResults(was, is)).map((one) => [one?.before, one?.after])).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

test('of two runs that differ by noise alone hardly ever a slice is called better or worse', () => {
  const [runs, rows] = [12, 120];
  const names = ['m1', 'm2', 'm3'];
  const slices = [column('abcde'.repeat(rows / 5), names), column('xy'.repeat(rows / 2), names)];
  const wrong = Array.from({ length: runs }, (_, run) => {
    const drawn = names.map((name, at) => {
      return { name, ...randomScores({ kind: 'pass', difference: 0 }, rows, run * names.length + at + 1) };
    });
    const was = madeResult(drawn.map(({ name, before: scores }) => ({ name, scores, kind: 'pass' })));
    const is = madeResult(
      drawn.map(({ name, after: scores }) => ({ name, scores, kind: 'pass' })),
      { slices },
    );
    const verdicts = comparisonsOf(compareResults(was, is)).map((one) => one?.verdict ?? '');
    return verdicts.some((verdict) => ['better', 'worse'].includes(verdict));
  });
  expect(wrong.filter((one) => one).length).toBeLessThanOrEqual(1);
});
