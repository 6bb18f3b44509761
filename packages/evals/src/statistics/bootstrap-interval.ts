import { normalCdf, normalQuantile } from './normal-distribution.ts';
import { randomInteger, randomStream } from './random-stream.ts';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  /** Share the interval should cover. */
  readonly level?: number;
  readonly resamples?: number;
  readonly seed?: number;
}

/** A group of values that belong together: the repetitions of one row. */
export type Cluster = readonly number[];

/**
 * Bias-corrected and accelerated bootstrap interval of the mean (Efron 1987), by rows: where a row was repeated, its
 * values are drawn together, since they are not independent. The mean weighs every value the same.
 *
 * @returns undefined where there are fewer than two clusters, from which nothing can be said
 */
export function bootstrapMean(
  clusters: readonly Cluster[],
  { level = 0.95, resamples = 2000, seed = 1 }: BootstrapOptions = {},
): Interval | undefined {
  const sums = clusters.filter(({ length }) => length > 0).map((values) => [total(values), values.length] as const);
  if (sums.length < 2) return undefined;
  const estimate = ratio(sums);
  const drawn = resampledMeans(sums, resamples, seed);
  const bias = biasOf(drawn, estimate);
  const acceleration = accelerationOf(sums);
  const bound = (share: number): number => {
    const z = bias + normalQuantile(share);
    return quantile(drawn, normalCdf(bias + z / (1 - acceleration * z)));
  };
  return { low: bound((1 - level) / 2), high: bound((1 + level) / 2) };
}

type Sum = readonly [sum: number, count: number];

function resampledMeans(sums: readonly Sum[], resamples: number, seed: number): Float64Array {
  const random = randomStream(seed);
  const means = new Float64Array(resamples);
  for (let at = 0; at < resamples; at += 1) {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < sums.length; draw += 1) {
      const [drawnSum, drawnCount] = sums[randomInteger(random, sums.length)] as Sum;
      sum += drawnSum;
      count += drawnCount;
    }
    means[at] = sum / count;
  }
  return means.sort();
}

/** Half of the draws that equal the estimate count as below it: scores are often few distinct numbers. */
function biasOf(drawn: Float64Array, estimate: number): number {
  let below = 0;
  for (const mean of drawn) below += mean < estimate ? 1 : mean === estimate ? 0.5 : 0;
  const share = Math.min(Math.max(below, 0.5), drawn.length - 0.5) / drawn.length;
  return normalQuantile(share);
}

function accelerationOf(sums: readonly Sum[]): number {
  const [sum, count] = [total(sums.map(([one]) => one)), total(sums.map(([, one]) => one))];
  const left = sums.map(([ownSum, ownCount]) => (sum - ownSum) / (count - ownCount));
  const centre = total(left) / left.length;
  const second = total(left.map((one) => (centre - one) ** 2));
  const third = total(left.map((one) => (centre - one) ** 3));
  return second === 0 ? 0 : third / (6 * second ** 1.5);
}

function ratio(sums: readonly Sum[]): number {
  return total(sums.map(([sum]) => sum)) / total(sums.map(([, count]) => count));
}

/** Linear between the two nearest, as NumPy's default. */
function quantile(sorted: Float64Array, share: number): number {
  const place = Math.min(Math.max(share, 0), 1) * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (place - below);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
