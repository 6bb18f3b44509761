import { expect, test } from 'vitest';
import { meanInterval, wilsonInterval } from './mean-interval.ts';

/** Brown, Cai and DasGupta 2001 and Newcombe 1998 (81 of 263: 0.2553 to 0.3662; 0 of 20: 0 to 0.1611). */
test.for([
  { passed: 81, count: 263, low: 0.2553, high: 0.3662 },
  { passed: 15, count: 148, low: 0.0624, high: 0.1605 },
  { passed: 0, count: 20, low: 0, high: 0.1611 },
  { passed: 1, count: 29, low: 0.0061, high: 0.1718 },
])('Wilson: $passed of $count', ({ passed, count, low, high }) => {
  const interval = wilsonInterval(passed / count, count);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('rows that all passed are not certain to pass', () => {
  const all = meanInterval(Array<number>(60).fill(1), 1, true);
  expect(all?.high).toBe(1);
  expect(all?.low).toBeCloseTo(0.9398, 4);
  const none = meanInterval(Array<number>(60).fill(0), 1, true);
  expect(none?.low).toBeCloseTo(0);
  expect(none?.high).toBeCloseTo(0.0602, 4);
});

test('numbers that are all the same are what they are', () => {
  expect(meanInterval([2, 2, 2], 1)).toEqual({ low: 2, high: 2 });
});
