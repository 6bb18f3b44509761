import { expect, test } from 'vitest';
import { madeResult } from '../testing/index.ts';
import { sliceNotes, sliceText, sliceVerdictText } from './slice-text.ts';

test.for<[value: string | null, english: string, japanese: string]>([
  ['ja', 'ja', 'ja'],
  [null, 'none', 'なし'],
  ['none', '"none"', 'none'],
  ['なし', 'なし', '"なし"'],
  [' ', '" "', '" "'],
  ['a\nb', '"a\\nb"', '"a\\nb"'],
  ['a\u200bb', '"a\\u200bb"', '"a\\u200bb"'],
  ['\u202ecba', '"\\u202ecba"', '"\\u202ecba"'],
  ['👨\u200d👩', '👨\u200d👩', '👨\u200d👩'],
  ['["x", 2]', '["x", 2]', '["x", 2]'],
])('%j is shown as %s', ([value, english, japanese]) => {
  expect([sliceText({ value }), sliceText({ value }, 'ja')]).toEqual([english, japanese]);
});

test('what a table does not show', () => {
  const metric = (name: string) => ({ name, mean: 1, scored: 1 });
  const slices = [{ value: 'a', lines: [0], metrics: [metric('right')] }];
  const result = madeResult([
    { name: 'right', scores: '1' },
    { name: 'logged', scores: '' },
  ]);
  const notes = (leftOut: object, language?: 'ja') => sliceNotes({ column: 'g', slices, ...leftOut }, result, language);
  const logged = 'logged: one figure over all rows, which slices have no part in';
  expect(notes({})).toEqual([logged]);
  expect(notes({ leftOut: { values: 1, rows: 1 } })).toEqual([logged, '1 more value, in 1 row, is not shown']);
  const many = notes({ leftOut: { values: 1200, rows: 4000 } });
  expect(many).toEqual([logged, '1,200 more values, in 4,000 rows, are not shown']);
  expect(notes({ leftOut: { values: 3, rows: 7 } }, 'ja')).toEqual([
    'logged は全行で 1 つの値なので、グループごとの値はありません',
    'ほかの値 3 個（7 行）は表示していません',
  ]);
  expect(sliceNotes({ column: 'g', slices }, madeResult([{ name: 'right', scores: '1' }]))).toEqual([]);
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
