import { expect, test } from 'vitest';
import { bootstrapMean } from './bootstrap-interval.ts';
import { meanInterval, skewedInterval, wilsonInterval } from './mean-interval.ts';
import { randomStream } from './random-stream.ts';

const drawn = (count: number, value: (random: number) => number): readonly number[] => {
  const random = randomStream(7);
  return Array.from({ length: count }, () => value(random()));
};

test.for([
  ['passes, nine of ten', (random: number) => Number(random < 0.9)],
  ['rare failures', (random: number) => Number(random < 0.995)],
  ['long tails', (random: number) => -Math.log(1 - random)],
  ['ranks', (random: number) => 1 / Math.ceil(random * 5)],
] as const)('beyond the bootstrap the interval is what the bootstrap would draw: %s', ([, value]) => {
  const values = drawn(4000, value);
  const drawnInterval = bootstrapMean(
    values.map((one) => [one]),
    { resamples: 4000 },
  );
  const { low, high } = skewedInterval(values);
  const width = high - low;
  // A bound of 4,000 draws is itself off by about 2 % of the width.
  expect(Math.abs(low - (drawnInterval?.low ?? 0)) / width).toBeLessThan(0.06);
  expect(Math.abs(high - (drawnInterval?.high ?? 0)) / width).toBeLessThan(0.06);
});

test('many equal scores leave no doubt, one says nothing', () => {
  expect(meanInterval(new Float64Array(20_000).fill(0.5), 1)).toEqual({ low: 0.5, high: 0.5 });
  expect(meanInterval([1], 1)).toBeUndefined();
});

test('few rows are drawn by the seed', () => {
  const values = drawn(50, (random) => random);
  expect(meanInterval(values, 3)).toEqual(meanInterval(values, 3));
});

/** Newcombe 1998, table I, method 3: the score interval. */
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
