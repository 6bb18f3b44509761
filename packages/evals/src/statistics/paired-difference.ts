import { flipTest } from './flip-test.ts';
import { excludesZero, type Interval } from './interval.ts';
import { meanOf } from './mean-of.ts';
import { normalQuantile } from './normal-distribution.ts';
import type { PairedTest } from './paired-test.ts';
import { permutationTest } from './permutation-test.ts';
import { plannedPower } from './planned-power.ts';

export interface PairedDifference {
  /** Rows that have a score in both runs. */
  readonly rows: number;
  /** Mean of now minus before. */
  readonly difference: number;
  /** Of the same test as `p`; absent where the rows are too few to tell anything. */
  readonly interval: Interval | undefined;
  /** Two-sided; 1 where there is nothing to tell apart. */
  readonly p: number;
  /** Just where the interval excludes 0. */
  readonly isSignificant: boolean;
  /** About how many rows would show a difference of this size with 80 % power or more; undefined where there is none. */
  readonly rowsNeeded: number | undefined;
}

/** Scores of one row in two runs, each as often as the row was repeated. */
export type ScoredPair = readonly [before: readonly number[], now: readonly number[]];

export interface PairedOptions {
  /** Share of such intervals that hold the true difference. */
  readonly level?: number;
  readonly seed?: number;
  /** The scores pass (1) or fail (0), or are means of such. */
  readonly isPass?: boolean;
}

/** Compares two runs row by row. A row is one observation, however often it was repeated. */
export function pairedDifference(
  pairs: readonly ScoredPair[],
  { level = 0.95, seed = 1, isPass = false }: PairedOptions = {},
): PairedDifference {
  const scored = pairs.filter(([before, now]) => before.length > 0 && now.length > 0);
  const means = scored.map(([before, now]) => [meanOf(before), meanOf(now)] as const);
  const differences = means.map(([before, now]) => now - before);
  const { pValue, intervalAt } = pairedTest(means, { isPass, seed });
  const interval = intervalAt(1 - level);
  return {
    rows: differences.length,
    difference: differences.length === 0 ? 0 : meanOf(differences),
    interval,
    p: pValue,
    isSignificant: excludesZero(interval),
    rowsNeeded: rowsForMean(differences, 1 - level, plannedPower),
  };
}

/**
 * McNemar's exact test where every row passed or failed in both runs, else (numbers, rows that were repeated) the
 * permutation test.
 */
export function pairedTest(
  pairs: readonly (readonly [before: number, now: number])[],
  { isPass, seed }: { readonly isPass: boolean; readonly seed: number },
): PairedTest {
  if (!isPass || !pairs.flat().every(isBit)) {
    return permutationTest(
      pairs.map(([before, now]) => now - before),
      seed,
    );
  }
  const turned = (to: number): number => pairs.filter(([before, now]) => now === to && before !== to).length;
  return flipTest({ fixed: turned(1), broken: turned(0) }, pairs.length);
}

function isBit(score: number): boolean {
  return score === 0 || score === 1;
}

/**
 * Rows at which a paired test finds a mean and spread such as these with the power asked for: the normal approximation
 * with Guenther's (1981) allowance for a spread that is estimated.
 *
 * @param level two-sided chance of a false finding that the test allows
 * @returns undefined where there is no difference to find, or nothing is known of the spread
 */
export function rowsForMean(differences: readonly number[], level: number, power: number): number | undefined {
  if (differences.length < 2) return undefined;
  const mean = meanOf(differences);
  const variance = sum(differences.map((one) => (one - mean) ** 2)) / (differences.length - 1);
  if (mean === 0 || variance === 0) return undefined;
  const [size, chance] = [normalQuantile(1 - level / 2), normalQuantile(power)];
  return Math.ceil(((size + chance) ** 2 * variance) / mean ** 2 + size ** 2 / 2);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
