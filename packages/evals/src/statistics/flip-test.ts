import type { Interval } from './interval.ts';
import { type Flips, mcnemarExact } from './mcnemar-test.ts';
import { normalCdf, normalQuantile } from './normal-distribution.ts';
import type { PairedTest } from './paired-test.ts';

/**
 * The test of rows that pass or fail: McNemar's exact one, with Tango's score interval (1998) of the difference of the two
 * shares. Where the exact test does not tell the runs apart and the interval, an approximation, would, it is stretched to 0.
 * Neither does p fall below that of the score test, which happens only far below any level (12 of 12 rows: 0.0005).
 *
 * @param rows all of them, turned or not
 */
export function flipTest(flips: Flips, rows: number): PairedTest {
  if (rows === 0) return { pValue: 1, intervalAt: () => undefined };
  const pValue = Math.max(mcnemarExact(flips), scoreP(flips));
  return {
    pValue,
    intervalAt: (level) => {
      const { low, high } = tangoInterval(flips, rows, level);
      return pValue < level ? { low, high } : { low: Math.min(low, 0), high: Math.max(high, 0) };
    },
  };
}

function scoreP({ fixed, broken }: Flips): number {
  const flips = fixed + broken;
  return flips === 0 ? 1 : Math.min(1, 2 * normalCdf(-Math.abs(fixed - broken) / Math.sqrt(flips)));
}

/** Tango's (1998) score interval of (fixed - broken) / rows. */
export function tangoInterval(flips: Flips, rows: number, level: number): Interval {
  const z = normalQuantile(1 - level / 2);
  const seen = (flips.fixed - flips.broken) / rows;
  return {
    low: lastRefused(-1, seen, (difference) => score(flips, rows, difference) > z),
    high: lastRefused(1, seen, (difference) => score(flips, rows, difference) < -z),
  };
}

/** How many deviations the difference seen is above the one supposed, the share of broken rows being the likeliest then. */
function score({ fixed, broken }: Flips, rows: number, difference: number): number {
  const linear = (2 * rows - fixed + broken) * difference - fixed - broken;
  const constant = -broken * difference * (1 - difference);
  const likeliest = (Math.sqrt(linear ** 2 - 8 * rows * constant) - linear) / (4 * rows);
  const variance = rows * (2 * likeliest + difference * (1 - difference));
  const off = fixed - broken - rows * difference;
  // No variance is left at a difference of 1 or -1, and at 0 where no row turned.
  return variance <= 0 ? off * Number.POSITIVE_INFINITY || 0 : off / Math.sqrt(variance);
}

/** Between a bound and the difference seen, which is not refused: the last that is, or the bound. By halves. */
function lastRefused(bound: number, seen: number, isRefused: (difference: number) => boolean): number {
  if (seen === bound || !isRefused(bound)) return bound;
  let [refused, held] = [bound, seen];
  for (let halving = 0; halving < 60; halving += 1) {
    const middle = (refused + held) / 2;
    if (isRefused(middle)) refused = middle;
    else held = middle;
  }
  return held;
}
