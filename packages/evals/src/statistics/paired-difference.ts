import { type BootstrapOptions, bootstrapMean, type Cluster, type Interval } from './bootstrap-interval.ts';
import { normalCdf, normalQuantile } from './normal-distribution.ts';
import { plannedPower } from './planned-power.ts';
import { type RandomStream, randomStream } from './random-stream.ts';

export interface PairedDifference {
  /** Rows that have a score in both runs. */
  readonly rows: number;
  /** Mean of now minus before. */
  readonly difference: number;
  readonly interval: Interval | undefined;
  /** Two-sided p of the sign-flip permutation test; 1 where there is nothing to tell apart. */
  readonly p: number;
  readonly isSignificant: boolean;
  /** About how many rows would show a difference of this size with 80 % power or more; undefined where there is none. */
  readonly rowsNeeded: number | undefined;
}

/** Scores of one row in two runs, each as often as the row was repeated. */
export type ScoredPair = readonly [before: readonly number[], now: readonly number[]];

const permutations = 10_000;

/**
 * Compares two runs row by row: the mean difference with its bootstrap interval, and the p of a permutation test that
 * flips the signs of the rows' differences (Fisher 1935), which assumes no distribution. A row is one observation,
 * however often it was repeated.
 */
export function pairedDifference(
  pairs: readonly ScoredPair[],
  { level = 0.95, seed = 1, ...options }: BootstrapOptions = {},
): PairedDifference {
  const scored = pairs.filter(([before, now]) => before.length > 0 && now.length > 0);
  const differences = scored.map(([before, now]) => meanOf(now) - meanOf(before));
  const difference = differences.length === 0 ? 0 : meanOf(differences);
  const clusters: readonly Cluster[] = differences.map((one) => [one]);
  const p = signFlipTest(differences, seed);
  return {
    rows: differences.length,
    difference,
    interval: bootstrapMean(clusters, { level, seed, ...options }),
    p,
    isSignificant: p < 1 - level,
    rowsNeeded: rowsForMean(differences, 1 - level, plannedPower),
  };
}

/** Rows that differ from which signs are not drawn any more, and the most one row may weigh among them. */
const manyRows = 4_000;
const mostWeight = 0.001;

/**
 * Two-sided p of the permutation test that flips the signs of differences: exact where at most 13 rows differ (8,192
 * ways), else drawn. 1 where none differs. Where more than 4,000 rows differ and no square of a difference is more than a
 * thousandth of all of them, what the draws tend to: the flipped sum is normal, with the sum of the squares as its
 * variance (Lindeberg), and p differs from the drawn one by less than the noise of drawing. Never below what could be drawn.
 */
export function signFlipTest(differences: readonly number[], seed = 1): number {
  const differing = differences.filter((difference) => difference !== 0);
  const observed = Math.abs(sum(differing));
  if (differing.length === 0) return 1;
  if (differing.length <= 13) return exactSignFlip(differing, observed);
  const squares = sum(differing.map((one) => one ** 2));
  if (differing.length > manyRows && differing.every((one) => one ** 2 <= squares * mostWeight)) {
    return normalSignFlip(squares, observed);
  }
  const random = randomStream(seed);
  let asExtreme = 1;
  for (let round = 0; round < permutations; round += 1) {
    if (Math.abs(flippedSum(differing, random)) >= observed - tolerance(observed)) asExtreme += 1;
  }
  return asExtreme / (permutations + 1);
}

function normalSignFlip(squares: number, observed: number): number {
  return Math.max(2 * normalCdf(-observed / Math.sqrt(squares)), 1 / (permutations + 1));
}

/** A draw has 32 bits, and so 32 signs. */
function flippedSum(differing: readonly number[], random: RandomStream): number {
  let sum = 0;
  let bits = 0;
  for (let at = 0; at < differing.length; at += 1) {
    bits = at % 32 === 0 ? (random() * 4_294_967_296) | 0 : bits >>> 1;
    sum += bits & 1 ? (differing[at] as number) : -(differing[at] as number);
  }
  return sum;
}

function exactSignFlip(differing: readonly number[], observed: number): number {
  const ways = 2 ** differing.length;
  let asExtreme = 0;
  for (let way = 0; way < ways; way += 1) {
    let flipped = 0;
    for (const [bit, difference] of differing.entries()) flipped += (way >> bit) & 1 ? difference : -difference;
    if (Math.abs(flipped) >= observed - tolerance(observed)) asExtreme += 1;
  }
  return asExtreme / ways;
}

/** Sums of the same numbers in another order differ in their last bits. */
function tolerance(observed: number): number {
  return 1e-12 * Math.max(1, observed);
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

function meanOf(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
