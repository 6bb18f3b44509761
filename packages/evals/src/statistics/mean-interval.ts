import { bootstrapMean, type Interval } from './bootstrap-interval.ts';
import { normalQuantile } from './normal-distribution.ts';

/** Rows from which the bootstrap is not drawn any more. */
const manyRows = 10_000;

/**
 * Interval (95 %) of the mean of rows, each one value, independent of each other. Up to 10,000 rows a bootstrap; beyond
 * that what the bootstrap tends to, the normal interval corrected for skewness (Hall 1992, Edgeworth expansion of first
 * order), which then differs from it by less than the bootstrap's own noise.
 *
 * @returns undefined for fewer than two rows
 */
export function meanInterval(values: ArrayLike<number>, seed: number): Interval | undefined {
  if (values.length <= manyRows) {
    return bootstrapMean(
      Array.from(values, (value) => [value]),
      { seed },
    );
  }
  return skewedInterval(values);
}

/** @param values at least two */
export function skewedInterval(values: ArrayLike<number>): Interval {
  const count = values.length;
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += values[at] as number;
  const mean = sum / count;
  let second = 0;
  let third = 0;
  for (let at = 0; at < count; at += 1) {
    const off = (values[at] as number) - mean;
    second += off * off;
    third += off * off * off;
  }
  const deviation = Math.sqrt(second / count);
  if (deviation === 0) return { low: mean, high: mean };
  const error = deviation / Math.sqrt(count);
  const skewness = third / count / deviation ** 3;
  const z = normalQuantile(0.975);
  // To this order the bias-corrected and accelerated bootstrap shifts both ends alike.
  const shift = (skewness * (2 * z * z + 1)) / (6 * Math.sqrt(count));
  return { low: mean + error * (shift - z), high: mean + error * (shift + z) };
}
