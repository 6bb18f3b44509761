import { describe, expect, test } from 'vitest';
import { normalDraws } from '../testing/normal-draws.ts';
import { permutationTest } from './permutation-test.ts';
import { randomStream } from './random-stream.ts';

/** Two-sided p of the differences from a supposed mean, every way of flipping them tried. */
function pByFlipping(differences: readonly number[], supposed: number): number {
  const off = differences.map((one) => one - supposed);
  const seen = Math.abs(off.reduce((sum, one) => sum + one, 0));
  let asExtreme = 0;
  for (let way = 0; way < 2 ** off.length; way += 1) {
    const flipped = off.reduce((sum, one, row) => sum + ((way >> row) & 1 ? one : -one), 0);
    if (Math.abs(flipped) >= seen - 1e-12) asExtreme += 1;
  }
  return asExtreme / 2 ** off.length;
}

describe('up to 13 rows every way of flipping is tried', () => {
  test.for<readonly [string, readonly number[]]>([
    ['one row', [0.4]],
    ['two', [0.4, 0.1]],
    ['rows that do not differ', [0, 0, 0, 0.2, 0.4, 0.1, 0.3, 0.2]],
    ['ties that cancel out', [0.1, 0.2, -0.3, 0.1, 0.2, -0.3, 0.7, 0.7]],
    ['both ways', [0.5, -0.2, 0.9, 0.1, -0.1, 0.4, 0.3, 0.8, -0.05, 0.6]],
  ])('%s', ([, differences]) => {
    const { pValue, intervalAt } = permutationTest(differences, 1);
    expect(pValue).toBeCloseTo(pByFlipping(differences, 0), 12);
    const interval = intervalAt(0.1);
    if (interval === undefined) {
      expect(2 / 2 ** differences.length).toBeGreaterThanOrEqual(0.1);
      return;
    }
    // Just inside either end a difference is not refused, just outside it is.
    const inside = 1e-9;
    expect(pByFlipping(differences, interval.low + inside)).toBeGreaterThanOrEqual(0.1);
    expect(pByFlipping(differences, interval.high - inside)).toBeGreaterThanOrEqual(0.1);
    expect(pByFlipping(differences, interval.low - inside)).toBeLessThan(0.1);
    expect(pByFlipping(differences, interval.high + inside)).toBeLessThan(0.1);
  });

  test('five rows cannot refuse anything at 5 %, six can', () => {
    expect(permutationTest([1, 2, 3, 4, 5], 1).intervalAt(0.05)).toBeUndefined();
    expect(permutationTest([1, 2, 3, 4, 5, 6], 1).intervalAt(0.05)).toEqual({ low: 1, high: 6 });
    expect(permutationTest([], 1)).toMatchObject({ pValue: 1 });
    expect(permutationTest([], 1).intervalAt(0.05)).toBeUndefined();
  });
});

describe('more rows are drawn', () => {
  const random = randomStream(4);
  const normal = normalDraws(random);
  const differences = Array.from({ length: 40 }, () => 0.3 + normal());

  test('the same for the same seed, another for another', () => {
    const [one, same, other] = [3, 3, 4].map((seed) => permutationTest(differences, seed));
    expect([one?.pValue, one?.intervalAt(0.05)]).toEqual([same?.pValue, same?.intervalAt(0.05)]);
    expect(one?.intervalAt(0.05)).not.toEqual(other?.intervalAt(0.05));
  });

  test("of normal differences the interval is near Student's", () => {
    const mean = differences.reduce((sum, one) => sum + one, 0) / 40;
    const error = Math.sqrt(differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 39 / 40);
    const { low, high } = permutationTest(differences, 1).intervalAt(0.05) ?? { low: 0, high: 0 };
    expect(Math.abs(low - (mean - 2.0227 * error))).toBeLessThan(0.1 * error);
    expect(Math.abs(high - (mean + 2.0227 * error))).toBeLessThan(0.1 * error);
  });

  test('p and interval follow what the draws say of 0, at every level', () => {
    for (let shift = -1; shift <= 1; shift += 0.05) {
      const { pValue, intervalAt } = permutationTest(
        differences.map((one) => one - 0.3 - shift),
        7,
      );
      for (const level of [0.001, 0.01, 0.05, 0.2]) {
        const interval = intervalAt(level);
        expect(interval !== undefined && (interval.low > 0 || interval.high < 0)).toBe(pValue < level);
      }
    }
  });

  test('a level below what can be drawn refuses nothing', () => {
    expect(permutationTest(Array<number>(20).fill(1), 1).intervalAt(0.00005)).toBeUndefined();
    expect(permutationTest(Array<number>(5000).fill(1), 1).intervalAt(0.00005)).toBeUndefined();
  });
});

describe('beyond so many rows it is worked out what is drawn up to there', () => {
  const rows = 400;
  const alikeIn = (differences: readonly number[], share: number): void => {
    const [drawn, worked] = [rows, rows - 1].map((maxDrawn) => permutationTest(differences, 1, maxDrawn));
    expect(Math.abs((drawn?.pValue ?? 0) - (worked?.pValue ?? 1))).toBeLessThan(0.02);
    const [one, other] = [drawn?.intervalAt(0.05), worked?.intervalAt(0.05)];
    const width = (one?.high ?? 0) - (one?.low ?? 0);
    expect(Math.abs((one?.low ?? 0) - (other?.low ?? 1)) / width).toBeLessThan(share);
    expect(Math.abs((one?.high ?? 0) - (other?.high ?? 1)) / width).toBeLessThan(share);
    expect(one).not.toEqual(other);
  };

  test.for<readonly [name: string, differenceOf: (random: () => number, row: number) => number]>([
    ['no difference', (random) => random() - 0.5],
    ['a small one', (random) => random() - 0.47],
    ['ones and zeros', (random) => (random() < 0.46 ? 1 : -1)],
  ])('%s', ([, differenceOf]) => {
    const random = randomStream(11);
    alikeIn(
      Array.from({ length: rows }, (_, row) => differenceOf(random, row)),
      0.05,
    );
  });

  test.for<readonly [name: string, differenceOf: (random: () => number, row: number) => number]>([
    ['a few rows weigh more', (random, row) => (row % 40 === 0 ? 20 : 1) * (random() - 0.47)],
    ['ten rows weigh more than all others', (random, row) => (row % 40 === 1 ? 200 : 1) * (random() - 0.4)],
    ['few rows differ', (random, row) => (row % 50 === 1 ? 1 + random() : 0)],
  ])('unless some outweigh the rest: %s', ([, differenceOf]) => {
    const random = randomStream(11);
    const differences = Array.from({ length: rows }, (_, row) => differenceOf(random, row));
    const [drawn, other] = [rows, rows - 1].map((maxDrawn) => permutationTest(differences, 1, maxDrawn));
    expect([other?.pValue, other?.intervalAt(0.05)]).toEqual([drawn?.pValue, drawn?.intervalAt(0.05)]);
  });

  test('a large difference has the least p that can be drawn, on both sides', () => {
    const random = randomStream(11);
    const differences = Array.from({ length: rows }, () => random() - 0.3);
    const turned = differences.map((one) => -one);
    const pOf = (given: readonly number[], maxDrawn: number): number => permutationTest(given, 1, maxDrawn).pValue;
    expect([pOf(differences, rows), pOf(differences, 100), pOf(turned, 100)]).toEqual([
      1 / 10_001,
      1 / 10_001,
      1 / 10_001,
    ]);
  });

  test('one row that outweighs the rest decides alone', () => {
    const differences = Array.from({ length: 5_000 }, (_, row) => (row === 0 ? 1_000 : row % 2 === 0 ? 0.001 : -0.001));
    expect(permutationTest(differences, 1).pValue).toBeGreaterThan(0.4);
  });

  test('rows that do not differ, and rows that all differ alike', () => {
    const same = permutationTest(Array<number>(5_000).fill(0), 1);
    expect([same.pValue, same.intervalAt(0.05)]).toEqual([1, { low: 0, high: 0 }]);
    const alike = permutationTest(Array<number>(5_000).fill(0.25), 1);
    expect([alike.pValue, alike.intervalAt(0.05)]).toEqual([1 / 10_001, { low: 0.25, high: 0.25 }]);
  });

  test('of 4,001 rows nothing is drawn unless one outweighs the rest: no seed matters', () => {
    const rising = Array.from({ length: 4_001 }, (_, row) => (row % 2) - 0.499);
    const [one, other] = [1, 2].map((seed) => permutationTest(rising, seed).intervalAt(0.05));
    expect(one).toEqual(other);
  });
});
