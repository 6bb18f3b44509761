import { expect, test } from 'vitest';
import { flipTest, tangoInterval } from './flip-test.ts';
import { mcnemarExact } from './mcnemar-test.ts';
import { normalQuantile } from './normal-distribution.ts';

/** In closed form: no row turned, or all of them one way. */
test.for([
  { fixed: 0, broken: 0, rows: 60, low: -0.060171, high: 0.060171 },
  { fixed: 20, broken: 0, rows: 20, low: 0.67775, high: 1 },
  { fixed: 0, broken: 20, rows: 20, low: -1, high: -0.67775 },
  { fixed: 1, broken: 0, rows: 1, low: -0.586904, high: 1 },
])('$fixed fixed and $broken broken of $rows', ({ rows, low, high, ...flips }) => {
  const interval = tangoInterval(flips, rows, 0.05);
  expect(interval.low).toBeCloseTo(low, 5);
  expect(interval.high).toBeCloseTo(high, 5);
});

/** The likeliest share of broken rows where the difference is given, by trying many. */
function likeliest(
  flips: { readonly fixed: number; readonly broken: number },
  rows: number,
  difference: number,
): number {
  const logLikelihood = (broken: number): number => {
    const fixed = broken + difference;
    const rest = 1 - broken - fixed;
    const part = (count: number, chance: number): number =>
      count === 0 ? 0 : count * Math.log(Math.max(chance, 1e-300));
    return part(flips.fixed, fixed) + part(flips.broken, broken) + part(rows - flips.fixed - flips.broken, rest);
  };
  let best = Math.max(0, -difference);
  for (let step = 0; step <= 20_000; step += 1) {
    const broken = Math.max(0, -difference) + (step / 20_000) * ((1 - Math.abs(difference)) / 2);
    if (logLikelihood(broken) > logLikelihood(best)) best = broken;
  }
  return best;
}

test.for([
  { fixed: 40, broken: 20, rows: 160 },
  { fixed: 1, broken: 7, rows: 21 },
  { fixed: 6, broken: 16, rows: 161 },
  { fixed: 3, broken: 0, rows: 50 },
])('at its ends the score is as far off as the level allows: $fixed, $broken of $rows', ({ rows, ...flips }) => {
  const interval = tangoInterval(flips, rows, 0.05);
  for (const difference of [interval.low, interval.high]) {
    const broken = likeliest(flips, rows, difference);
    const variance = (2 * broken + difference - difference ** 2) / rows;
    const off = (flips.fixed - flips.broken) / rows - difference;
    expect(Math.abs(off) / Math.sqrt(variance)).toBeCloseTo(normalQuantile(0.975), 2);
  }
});

test('it excludes 0 exactly where the exact test says so, at every level', () => {
  for (let flips = 0; flips <= 60; flips += 1) {
    for (let fixed = 0; fixed <= flips; fixed += 1) {
      const { pValue, intervalAt } = flipTest({ fixed, broken: flips - fixed }, 80);
      for (const level of [0.0005, 0.005, 0.05, 0.2]) {
        const { low, high } = intervalAt(level) ?? { low: 0, high: 0 };
        expect(low > 0 || high < 0, `${fixed} of ${flips} at ${level}`).toBe(pValue < level);
      }
    }
  }
});

test("p is McNemar's exact one wherever it matters", () => {
  for (let flips = 0; flips <= 400; flips += 1) {
    for (let fixed = Math.ceil(flips / 2); fixed <= flips; fixed += 1) {
      const p = mcnemarExact({ fixed, broken: flips - fixed });
      if (p < 0.001) break;
      expect(flipTest({ fixed, broken: flips - fixed }, flips).pValue).toBe(p);
    }
  }
});

test('no rows', () => {
  const none = flipTest({ fixed: 0, broken: 0 }, 0);
  expect([none.pValue, none.intervalAt(0.05)]).toEqual([1, undefined]);
});

test('many flips take no time', () => {
  expect(flipTest({ fixed: 200_000, broken: 201_000 }, 1_000_000).pValue).toBeCloseTo(0.1144, 3);
});
