import { expect, test } from 'vitest';
import { roundRange, scoreBins } from './score-bins.ts';

test.for([
  { values: [0.2, 0.9], range: [0, 1] },
  { values: [0], range: [0, 1] },
  { values: [2.4], range: [0, 3] },
  { values: [1703, 1865], range: [0, 2000] },
  { values: [-0.5, 0.5], range: [-0.5, 0.5] },
  { values: [40, 37, 1.5], range: [0, 40] },
  { values: [], range: [0, 1] },
])('round numbers hold $values', ({ values, range }) => {
  const { from, to } = roundRange(values);
  expect([from, to]).toEqual(range);
});

/** Of rows 0, 1 …, each once. */
function of(values: readonly number[]) {
  return { lines: [...values.keys()], repeats: values.map(() => 0), values };
}

test('rows that pass or fail are two bins, also where none fails', () => {
  const bins = scoreBins({ kind: 'pass', scores: of([1, 1, 0, 1]) });
  expect(bins.map(({ text, rows }) => [text, rows])).toEqual([
    ['failed', 1],
    ['passed', 3],
  ]);
  expect(scoreBins({ kind: 'pass', scores: of([1]) }).map(({ rows }) => rows)).toEqual([0, 1]);
});

test('a row that was repeated is one row with its mean', () => {
  const scores = { lines: [0, 0, 1, 1], repeats: [0, 1, 0, 1], values: [1, 0, 1, 1] };
  const bins = scoreBins({ kind: 'pass', scores });
  expect(bins.filter(({ rows }) => rows > 0).map(({ text, rows }) => [text, rows])).toEqual([
    ['40 % to 60 %', 1],
    ['80 % to 100 %', 1],
  ]);
});

test('numbers lie in bins between round ones, in their unit; every row is in one', () => {
  const values = Array.from({ length: 40 }, (_, row) => 300 + ((row * 53) % 400));
  const bins = scoreBins({ kind: 'number', unit: 'ms', scores: of(values) });
  expect([bins[0]?.text, bins.at(-1)?.text]).toEqual(['0 ms to 114 ms', '686 ms to 800 ms']);
  expect(bins.reduce((sum, { rows }) => sum + rows, 0)).toBe(40);
  expect(scoreBins({ kind: 'number', scores: of([]) })).toEqual([]);
});

test.for([-5, -4, -2e98, -3e-10])('rows that all score %d are all in a bin', (score) => {
  const values = [score, score];
  const bins = scoreBins({ kind: 'number', scores: of(values) });
  expect(bins.reduce((sum, { rows }) => sum + rows, 0)).toBe(2);
});
