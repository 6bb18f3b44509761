import { expect, test } from 'vitest';
import { madeResult } from '../testing/index.ts';
import { leftOutText, sliceText, sliceVerdictText } from './slice-text.ts';

test.for<[value: string | null, english: string, japanese: string]>([
  ['ja', 'ja', 'ja'],
  [null, 'none', 'なし'],
  ['none', '"none"', 'none'],
  ['なし', 'なし', '"なし"'],
  [' ', '" "', '" "'],
  ['a\nb', '"a\\nb"', '"a\\nb"'],
  ['["x", 2]', '["x", 2]', '["x", 2]'],
])('%j is shown as %s', ([value, english, japanese]) => {
  expect([sliceText({ value }), sliceText({ value }, 'ja')]).toEqual([english, japanese]);
});

test('how many values are left out', () => {
  const leftOut = (values: number, rows: number) => ({ column: 'g', slices: [], leftOut: { values, rows } });
  expect(leftOutText({ column: 'g', slices: [] })).toBeUndefined();
  expect(leftOutText(leftOut(1, 1))).toBe('1 more value, in 1 row, is not shown');
  expect(leftOutText(leftOut(1200, 4000))).toBe('1,200 more values, in 4,000 rows, are not shown');
  expect(leftOutText(leftOut(3, 7), 'ja')).toBe('ほかの値 3 個（7 行）は表示していません');
});

test('the correction is told where something differs', () => {
  const slice = (verdicts: readonly ('same' | 'worse')[]) => ({
    value: 'a',
    lines: [0],
    metrics: verdicts.map((verdict) => ({
      name: 'right',
      mean: 1,
      scored: 1,
      comparison: { pairs: 1, before: 1, after: 1, difference: 0, pValue: 1, adjustedPValue: 1, verdict },
    })),
  });
  const of = (verdicts: readonly ('same' | 'worse')[]) =>
    madeResult([], { slices: [{ column: 'g', slices: [slice(verdicts)] }] });
  expect([sliceVerdictText(madeResult([])), sliceVerdictText(of(['same']))]).toEqual([undefined, undefined]);
  expect(sliceVerdictText(of(['same', 'worse']))).toBe(
    'Corrected for all 2 comparisons of slices together: of what is called better or worse at most 5 % is expected to be chance.',
  );
});
