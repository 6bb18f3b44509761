import { describe, expect, test } from 'vitest';
import { normalDraws } from '../testing/normal-draws.ts';
import { meanInterval, wilsonInterval } from './mean-interval.ts';
import { type RandomStream, randomStream } from './random-stream.ts';
import { studentQuantile } from './student-quantile.ts';

/** Tables of Student's t distribution. */
test.for([
  [0.975, 1, 12.706205],
  [0.975, 2, 4.302653],
  [0.975, 3, 3.182446],
  [0.975, 4, 2.776445],
  [0.975, 9, 2.262157],
  [0.975, 59, 2.000995],
  [0.975, 1000, 1.962339],
  [0.995, 3, 5.840909],
  [0.9995, 8, 5.041305],
] as const)('the %f quantile of t with %d degrees', ([p, degrees, value]) => {
  expect(studentQuantile(p, degrees) / value).toBeCloseTo(1, 5);
});

describe('numbers', () => {
  test("where they lie alike on both sides of their mean, Student's interval (R's t.test)", () => {
    const interval = meanInterval([4, 5, 6, 7, 8]);
    expect(interval?.low).toBeCloseTo(4.036757, 5);
    expect(interval?.high).toBeCloseTo(7.963243, 5);
  });

  test('a long tail moves it towards the tail', () => {
    const tail = [1, 1, 2, 2, 2, 3, 3, 4, 5, 27];
    const { low, high } = meanInterval(tail) ?? { low: 0, high: 0 };
    expect(high - 5).toBeGreaterThan(3 * (5 - low));
    const turned = meanInterval(tail.map((one) => -one));
    expect([turned?.low, turned?.high]).toEqual([expect.closeTo(-high, 10), expect.closeTo(-low, 10)]);
  });

  test('nowhere beyond what a score can be', () => {
    expect(meanInterval([0.9, 1, 1, 0.2, 1, 1], [0, 1])?.high).toBe(1);
    expect(meanInterval([0, 0, 0, 30, 2], [0, Number.POSITIVE_INFINITY])?.low).toBe(0);
    expect(meanInterval([0, 0, 0, 30, 2])?.low).toBeLessThan(0);
  });

  test('equal ones leave no doubt, one says nothing', () => {
    expect(meanInterval(new Float64Array(20_000).fill(0.5), [0, 1])).toEqual({ low: 0.5, high: 0.5 });
    expect(meanInterval([1], [0, 1])).toBeUndefined();
    expect(meanInterval([])).toBeUndefined();
  });
});

describe('covers the true mean about as often as it says, whatever the rows', () => {
  type Draw = (random: RandomStream) => () => number;
  test.for<readonly [name: string, draw: Draw, mean: number, range?: readonly [number, number]]>([
    ['normal', (random) => normalDraws(random), 0],
    ['bounded', (random) => () => random() ** (1 / 3), 0.75, [0, 1]],
    ['tied', (random) => () => (random() < 0.7 ? 1 : random() < 2 / 3 ? 0.5 : 0), 0.8, [0, 1]],
    ['shares', (random) => () => Number(random() < 0.9), 0.9, [0, 1]],
    [
      'lognormal',
      (random) => {
        const normal = normalDraws(random);
        return () => Math.exp(normal());
      },
      Math.exp(0.5),
    ],
  ])('%s, 20 rows', ([, drawOf, mean, range]) => {
    const draw = drawOf(randomStream(9));
    let covered = 0;
    for (let run = 0; run < 1000; run += 1) {
      const interval = meanInterval(Array.from({ length: 20 }, draw), range);
      if (interval !== undefined && interval.low <= mean && interval.high >= mean) covered += 1;
    }
    expect(covered / 1000).toBeGreaterThan(0.92);
  });
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
  const rows = Array.from({ length: count }, (_, row) => (row < passed ? 1 : 0));
  expect(meanInterval(rows, [0, 1])).toEqual(interval);
});

test('scores at either end of a range are shares of it', () => {
  const { low, high } = wilsonInterval(0.75, 4);
  expect(meanInterval([5, 5, 1, 5], [1, 5])).toEqual({ low: 1 + 4 * low, high: 1 + 4 * high });
});

test('rows that all passed are not certain to pass', () => {
  const all = meanInterval(Array<number>(60).fill(1), [0, 1]);
  expect(all?.high).toBe(1);
  expect(all?.low).toBeCloseTo(0.9398, 4);
  const none = meanInterval(Array<number>(60).fill(0), [0, 1]);
  expect(none?.low).toBeCloseTo(0);
  expect(none?.high).toBeCloseTo(0.0602, 4);
});
