import { bootstrapMean, type Interval } from './bootstrap-interval.ts';
import { normalQuantile } from './normal-distribution.ts';

/** Rows from which the bootstrap is not drawn any more. */
const manyRows = 4_000;

/**
 * Interval (95 %) of the mean of rows, each one value, independent of each other. Up to 4,000 rows a bootstrap; beyond
 * that what the bootstrap tends to, the normal interval corrected for skewness (Hall 1992, Edgeworth expansion of first
 * order), which then differs from it by less than the bootstrap's own noise.
 *
 * Shares of rows that passed, where all of them or none did, have Wilson's interval: a bootstrap has nothing to draw from
 * there and would tell that nothing is uncertain.
 *
 * @param isShare whether every value is 0 or 1, or a mean of such
 * @returns undefined for fewer than two rows
 */
export function meanInterval(
  values: ArrayLike<number>,
  seed: number,
  isShare = false,
  resamples = 2000,
): Interval | undefined {
  if (isShare && values.length > 1 && isUnanimous(values)) return wilsonInterval(values[0] as number, values.length);
  if (values.length <= manyRows) {
    return bootstrapMean(
      Array.from(values, (value) => [value]),
      { seed, resamples },
    );
  }
  return skewedInterval(values);
}

function isUnanimous(values: ArrayLike<number>): boolean {
  const first = values[0] as number;
  if (first !== 0 && first !== 1) return false;
  for (let at = 1; at < values.length; at += 1) if (values[at] !== first) return false;
  return true;
}

/** Score interval of a share, 95 % (Wilson 1927). */
export function wilsonInterval(share: number, count: number): Interval {
  const z = normalQuantile(0.975);
  const centre = (share + (z * z) / (2 * count)) / (1 + (z * z) / count);
  const reach = (z / (1 + (z * z) / count)) * Math.sqrt((share * (1 - share)) / count + (z / (2 * count)) ** 2);
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
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
