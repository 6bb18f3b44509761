import { expect, test } from 'vitest';
import { meanOf } from './mean-of.ts';

test.for<[readonly number[], number]>([
  [[1e16, 1, -1e16], 1 / 3],
  [[1, 1e100, 1, -1e100], 0.5],
  [Array.from({ length: 10 }, () => 0.1), 0.1],
  [[1, 2, 4], 7 / 3],
  [[1, Number.POSITIVE_INFINITY], Number.POSITIVE_INFINITY],
  [[], Number.NaN],
])('%j', ([values, expected]) => {
  expect(meanOf(values)).toBe(expected);
});
