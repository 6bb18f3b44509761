import { describe, expect, test } from 'vitest';
import { flipPower, rowsForFlips } from './flip-power.ts';
import { flipTest } from './flip-test.ts';
import { mcnemarExact } from './mcnemar-test.ts';
import { benjaminiHochberg, jointLevel } from './multiple-tests.ts';
import { normalCdf, normalQuantile } from './normal-distribution.ts';
import { pairedDifference } from './paired-difference.ts';
import { passAll, passAt } from './pass-at.ts';
import { permutationTest } from './permutation-test.ts';
import { randomStream } from './random-stream.ts';

describe('normal distribution, against tables', () => {
  test.for([
    [0, 0.5],
    [1, 0.841344746],
    [1.959963985, 0.975],
    [-1.644853627, 0.05],
    [3, 0.998650102],
  ] as const)('z %f', ([z, p]) => {
    expect(normalCdf(z)).toBeCloseTo(p, 6);
    expect(normalQuantile(p)).toBeCloseTo(z, 5);
  });
});

describe("McNemar's exact test, against R's binom.test", () => {
  test.for([
    [5, 15, 0.04138947],
    [15, 5, 0.04138947],
    [1, 9, 0.02148438],
    [10, 10, 1],
    [0, 0, 1],
    [0, 6, 0.03125],
  ] as const)('%d fixed, %d broken', ([fixed, broken, p]) => {
    expect(mcnemarExact({ fixed, broken })).toBeCloseTo(p, 7);
  });

  test('many flips do not overflow', () => {
    expect(mcnemarExact({ fixed: 5000, broken: 5100 })).toBeCloseTo(0.3245, 3);
  });
});

function countsOf(words: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Array.from(
      Map.groupBy(words, (word) => word),
      ([word, all]) => [word, all.length],
    ),
  );
}

describe("rows that McNemar's exact test needs", () => {
  test.for([
    { fixed: 0.1, broken: 0.05, rows: 498 },
    { fixed: 0.05, broken: 0, rows: 157 },
    { fixed: 0.02, broken: 0.01, rows: 2489 },
    { fixed: 1, broken: 0, rows: 6 },
  ])('fixed $fixed, broken $broken: $rows', ({ rows, ...rates }) => {
    expect(rowsForFlips(rates, 0.05, 0.8)).toBe(rows);
    expect(flipPower(rates, rows, 0.05)).toBeGreaterThanOrEqual(0.8);
    expect(flipPower(rates, rows - 1, 0.05)).toBeLessThan(0.8);
  });

  test('the power is the share of drawn tables that are significant', () => {
    const random = randomStream(3);
    const rates = { fixed: 0.12, broken: 0.04 };
    const drawRow = (): 'fixed' | 'broken' | 'same' => {
      const chance = random();
      return chance < rates.fixed ? 'fixed' : chance < rates.fixed + rates.broken ? 'broken' : 'same';
    };
    const isFound = (): boolean => {
      const { fixed = 0, broken = 0 } = countsOf(Array.from({ length: 150 }, drawRow));
      return fixed > broken && mcnemarExact({ fixed, broken }) < 0.05;
    };
    const found = Array.from({ length: 2000 }, isFound).filter((one) => one).length;
    expect(Math.abs(found / 2000 - flipPower(rates, 150, 0.05))).toBeLessThan(0.03);
  });

  test('very many rows by the normal approximation; none where nothing is to be found', () => {
    expect(rowsForFlips({ fixed: 0.3, broken: 0.28 }, 0.05, 0.8)).toBe(11429);
    expect(rowsForFlips({ fixed: 0.1, broken: 0.1 }, 0.05, 0.8)).toBeUndefined();
  });
});

test("Benjamini and Hochberg's procedure, against R's p.adjust", () => {
  const adjusted = benjaminiHochberg([0.01, 0.04, 0.03, 0.005, 0.8]);
  expect(adjusted.map((p) => Math.round(p * 1e6) / 1e6)).toEqual([0.025, 0.05, 0.05, 0.025, 0.8]);
  expect(benjaminiHochberg([])).toEqual([]);
});

test.for<readonly [what: string, ps: readonly number[], level: number]>([
  ['one test', [0.3], 0.05],
  ['none is rejected', [0.02, 0.3, 0.4, 0.9], 0.0125],
  ['as many as are rejected', [0.01, 0.045, 0.035, 0.005, 0.8], 0.02],
  ['all', [0.01, 0.02], 0.05],
  ['none at all', [], 0.05],
])('the level at which intervals are looked at together: %s', ([, ps, level]) => {
  expect(jointLevel(ps, 0.05)).toBeCloseTo(level, 12);
  const rejected = benjaminiHochberg(ps).map((p) => p < 0.05);
  expect(ps.map((p) => p < jointLevel(ps, 0.05))).toEqual(rejected);
});

test.for([
  [1, 10, 3, 0.3, 0.3],
  [5, 10, 3, 0.916667, 0],
  [2, 4, 2, 0.833333, 0.166667],
  [3, 3, 3, 1, 1],
] as const)('pass@%d of %d attempts, %d passed', ([k, attempts, passed, at, all]) => {
  expect(passAt(k, attempts, passed)).toBeCloseTo(at, 5);
  expect(passAll(k, attempts, passed)).toBeCloseTo(all, 5);
});

test('pass@k needs k attempts', () => {
  expect([passAt(3, 2, 1), passAll(3, 2, 1)]).toEqual([undefined, undefined]);
});

describe('two runs compared row by row', () => {
  test('no difference', () => {
    const pairs = Array.from({ length: 20 }, (_, at) => [[at % 2], [at % 2]] as const);
    expect(pairedDifference(pairs)).toMatchObject({
      rows: 20,
      difference: 0,
      p: 1,
      isSignificant: false,
      rowsNeeded: undefined,
    });
  });

  test('a few rows: the permutation test is exact', () => {
    const pairs = [1, 1, 1, 1, 1].map((now) => [[0], [now]] as const);
    expect(pairedDifference(pairs)).toMatchObject({ difference: 1, p: 2 / 32, isSignificant: false });
    const six = [1, 1, 1, 1, 1, 1].map((now) => [[0], [now]] as const);
    expect(pairedDifference(six)).toMatchObject({ p: 2 / 64, isSignificant: true });
  });

  const bits = (fixed: number, broken: number, same: number) => [
    ...Array.from({ length: fixed }, () => [[0], [1]] as const),
    ...Array.from({ length: broken }, () => [[1], [0]] as const),
    ...Array.from({ length: same }, (_, at) => [[at % 2], [at % 2]] as const),
  ];

  test('rows that pass or fail: the exact test of those that turned, and its interval', () => {
    const found = pairedDifference(bits(15, 5, 40), { isPass: true });
    expect(found).toMatchObject({ rows: 60, difference: 10 / 60, isSignificant: true });
    expect(found.p).toBeCloseTo(0.04138947, 8);
    expect(found.interval).toEqual(flipTest({ fixed: 15, broken: 5 }, 60).intervalAt(0.05));
    const turned = pairedDifference(bits(5, 15, 40), { isPass: true });
    expect(turned.interval).toEqual(flipTest({ fixed: 5, broken: 15 }, 60).intervalAt(0.05));
    expect(pairedDifference(bits(15, 5, 40), { isPass: true, level: 0.99 })).toMatchObject({ isSignificant: false });
  });

  test('numbers, and rows that were repeated, are permuted', () => {
    const asNumbers = pairedDifference(bits(15, 5, 40));
    expect(asNumbers.interval).not.toEqual(flipTest({ fixed: 15, broken: 5 }, 60).intervalAt(0.05));
    const repeated = [...bits(15, 5, 40), [[1, 0], [1]] as const];
    const differences = [...Array(15).fill(1), ...Array(5).fill(-1), ...Array(40).fill(0), 0.5] as readonly number[];
    expect(pairedDifference(repeated, { isPass: true }).interval).toEqual(
      permutationTest(differences, 1).intervalAt(0.05),
    );
    expect(pairedDifference(repeated, { isPass: true, seed: 2 }).interval).toEqual(
      permutationTest(differences, 2).intervalAt(0.05),
    );
  });

  test('nothing to compare', () => {
    expect(pairedDifference([])).toEqual({
      rows: 0,
      difference: 0,
      interval: undefined,
      p: 1,
      isSignificant: false,
      rowsNeeded: undefined,
    });
  });

  test('rows without a score in one run are left out', () => {
    expect(
      pairedDifference([
        [[1], []],
        [[], [1]],
        [[0], [1]],
      ] as const).rows,
    ).toBe(1);
  });

  test('rows that differ both ways and come to nothing: no number of rows would show it', () => {
    const pairs = [1, -1, 2, -2].map((difference) => [[0], [difference]] as const);
    expect(pairedDifference(pairs)).toMatchObject({ difference: 0, rowsNeeded: undefined });
  });

  test('the number of rows needed is that of the textbook', () => {
    const differences = [0.5, -0.5, 0.7, -0.3, 0.1, 0.1, 0.6, -0.4, 0.2, 0];
    const { rowsNeeded } = pairedDifference(differences.map((difference) => [[0], [difference]] as const));
    const mean = 0.1;
    const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 9;
    expect(rowsNeeded).toBe(Math.ceil(((1.959964 + 0.915365) ** 2 * variance) / mean ** 2 + 1.959964 ** 2 / 2));
  });
});
