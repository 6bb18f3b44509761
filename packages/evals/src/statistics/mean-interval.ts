import type { Interval } from './interval.ts';
import { normalQuantile } from './normal-distribution.ts';
import { studentQuantile } from './student-quantile.ts';

/** The least and the most a value can be. */
export type ValueRange = readonly [least: number, most: number];

/**
 * Interval (95 %) of the mean of rows, each one value, independent of each other. Shares, where every value is at one end
 * of its range or the other, have Wilson's. Numbers have Student's, put right for a skewed spread by Hall's transformation
 * (1992), which covers as a studentized bootstrap does and draws nothing; nowhere beyond the range.
 *
 * @returns undefined for fewer than two rows
 */
export function meanInterval(values: ArrayLike<number>, range?: ValueRange): Interval | undefined {
  if (values.length < 2) return undefined;
  const moments = momentsOf(values);
  const [least, most] = range ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (Number.isFinite(most - least) && isAtEnds(values, least, most)) {
    const share = wilsonInterval((moments.mean - least) / (most - least), values.length);
    return { low: least + share.low * (most - least), high: least + share.high * (most - least) };
  }
  const { low, high } = skewedInterval(moments);
  return { low: Math.max(low, least), high: Math.min(high, most) };
}

function isAtEnds(values: ArrayLike<number>, least: number, most: number): boolean {
  for (let at = 0; at < values.length; at += 1) if (values[at] !== least && values[at] !== most) return false;
  return true;
}

/** Score interval of a share, 95 % (Wilson 1927). */
export function wilsonInterval(share: number, count: number): Interval {
  const z = normalQuantile(0.975);
  const centre = (share + (z * z) / (2 * count)) / (1 + (z * z) / count);
  const reach = (z / (1 + (z * z) / count)) * Math.sqrt((share * (1 - share)) / count + (z / (2 * count)) ** 2);
  return { low: Math.max(0, centre - reach), high: Math.min(1, centre + reach) };
}

interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Of the mean. */
  readonly error: number;
  readonly skewness: number;
}

function momentsOf(values: ArrayLike<number>): Moments {
  const count = values.length;
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += values[at] as number;
  const mean = sum / count;
  let [second, third] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const off = (values[at] as number) - mean;
    second += off * off;
    third += off * off * off;
  }
  const skewness = second === 0 ? 0 : third / count / (second / count) ** 1.5;
  return { count, mean, error: Math.sqrt(second / (count - 1) / count), skewness };
}

/**
 * With A = skewness / √count, T + A T² / 3 + A² T³ / 27 + A / 6 of T = (mean - true mean) / error has no skewness left to
 * that order and rises with T; so the interval is where it lies between the quantiles of Student's distribution.
 */
function skewedInterval({ count, mean, error, skewness }: Moments): Interval {
  const a = skewness / Math.sqrt(count);
  const back = (x: number): number => (Math.abs(a) < 1e-6 ? x : (3 / a) * (Math.cbrt(1 + a * (x - a / 6)) - 1));
  const quantile = studentQuantile(0.975, count - 1);
  return { low: mean - error * back(quantile), high: mean - error * back(-quantile) };
}
