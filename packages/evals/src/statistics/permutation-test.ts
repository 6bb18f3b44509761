import { normalCdf, normalQuantile } from './normal-distribution.ts';
import type { PairedTest } from './paired-test.ts';
import { type SubsetMeans, subsetMeans } from './subset-means.ts';

/** A row that has more than this many times its share of all squares outweighs the rest: a thousandth of 4,000 rows. */
const maxWeight = 4;

/** The least p that can be told: that of 10,000 draws, none of which is as extreme. */
const leastP = 1 / 10_001;

/**
 * The permutation test that flips the signs of the rows' differences (Fisher 1935), and its intervals: it assumes of the
 * differences only that they lie about their mean alike on both sides, as those of two runs that differ by noise do.
 *
 * Flipping signs makes a sum as large as the one seen just where the rows flipped have a mean of 0 or less, or those left
 * have: a difference is refused where few of all subsets of rows have their mean beyond it, and the interval runs from one
 * such mean to another (Hartigan 1969). Exact up to 13 rows, else by 10,000 draws. Of more than 4,000 rows it is worked out
 * what the draws tend to, unless some outweigh the rest: sums are normal (Lindeberg).
 *
 * @param differences of rows, each one observation however often it was repeated
 * @param maxDrawn rows up to which subsets are drawn, whatever the rows weigh
 */
export function permutationTest(differences: readonly number[], seed: number, maxDrawn = 4_000): PairedTest {
  if (differences.length === 0) return { pValue: 1, intervalAt: () => undefined };
  if (differences.length <= maxDrawn) return testByMeans(subsetMeans(differences, seed));
  const moments = momentsOf(differences);
  const heaviest = (moments.squares * maxWeight) / maxDrawn;
  const isOutweighed = moments.deviations.some((one) => one ** 2 > heaviest);
  return isOutweighed ? testByMeans(subsetMeans(differences, seed)) : normalTest(moments);
}

/** The empty subset, of which there is no mean, counts as one beyond any difference. */
function testByMeans(means: SubsetMeans): PairedTest {
  const subsets = means.length + 1;
  const least = Math.min(countBelow(means, 0, true), means.length - countBelow(means, 0, false));
  return {
    pValue: Math.min(1, (2 * (1 + least)) / subsets),
    intervalAt: (level) => {
      // As many as can lie beyond a difference, the empty one among them, while it is still refused.
      const beyond = Math.ceil((level * subsets) / 2) - 1;
      if (beyond < 1) return undefined;
      return { low: means[beyond - 1] as number, high: means[means.length - beyond] as number };
    },
  };
}

/** How many of sorted values are below a bound, or at it. */
function countBelow(sorted: Float64Array, bound: number, isAtToo: boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] as number;
    if (value < bound || (isAtToo && value === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Of the rows, from the mean; and the sum of their squares. */
  readonly deviations: readonly number[];
  readonly squares: number;
}

function momentsOf(differences: readonly number[]): Moments {
  const count = differences.length;
  const mean = sumOf(differences) / count;
  const deviations = differences.map((one) => one - mean);
  return { count, mean, deviations, squares: sumOf(deviations.map((one) => one * one)) };
}

/** The flipped sum about a difference d is normal with the variance Σ(one - d)², which the interval solves for d. */
function normalTest({ count, mean, squares }: Moments): PairedTest {
  const aboutZero = squares + count * mean ** 2;
  const z = aboutZero === 0 ? 0 : (count * Math.abs(mean)) / Math.sqrt(aboutZero);
  return {
    pValue: Math.min(1, Math.max(2 * normalCdf(-z), leastP)),
    intervalAt: (level) => {
      if (level <= leastP) return undefined;
      const bound = normalQuantile(1 - level / 2);
      const reach = bound * Math.sqrt(squares / (count * (count - bound ** 2)));
      return { low: mean - reach, high: mean + reach };
    },
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
