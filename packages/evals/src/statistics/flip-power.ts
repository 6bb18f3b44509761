import { normalQuantile } from './normal-distribution.ts';

/** Chances that a row is fixed and that it is broken. */
export interface FlipRates {
  readonly fixed: number;
  readonly broken: number;
}

/** From here on the normal approximation is within a percent. */
const maxExactFlips = 400;

/**
 * Rows at which McNemar's exact test finds such rates with the power asked for: the chance, over how many rows flip and
 * which way, that it does (Duffy 1984), not the formula for large samples, which promises too much where few rows flip.
 *
 * @returns undefined where there is no difference to find
 */
export function rowsForFlips(rates: FlipRates, level: number, power: number): number | undefined {
  const flips = rates.fixed + rates.broken;
  const difference = Math.abs(rates.fixed - rates.broken);
  if (difference === 0) return undefined;
  const approximate = rowsByNormal(flips, difference, level, power);
  if (approximate * flips > maxExactFlips) return approximate;
  let [low, high] = [1, Math.max(2, approximate)];
  while (flipPower(rates, high, level) < power) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (flipPower(rates, middle, level) < power) low = middle;
    else high = middle;
  }
  return high;
}

/** Connor (1987), with the correction for continuity that an exact test asks for. */
function rowsByNormal(flips: number, difference: number, level: number, power: number): number {
  const [size, chance] = [normalQuantile(1 - level / 2), normalQuantile(power)];
  const spread = Math.sqrt(Math.max(0, flips - difference ** 2));
  return Math.ceil(((size * Math.sqrt(flips) + chance * spread) / difference) ** 2 + 1 / difference);
}

/** The chance that McNemar's exact test of `rows` rows is below `level`, in the right direction. */
export function flipPower({ fixed, broken }: FlipRates, rows: number, level: number): number {
  const flips = Math.min(1, fixed + broken);
  const share = Math.max(fixed, broken) / (fixed + broken);
  const [expected, deviation] = [rows * flips, Math.sqrt(rows * flips * (1 - flips))];
  const from = Math.max(0, Math.floor(expected - 6 * deviation - 6));
  const to = Math.min(rows, Math.ceil(expected + 6 * deviation + 6));
  const logs = logFactorials(rows);
  let power = 0;
  for (let count = from; count <= to; count += 1) {
    const weight = Math.exp(logBinomial(logs, rows, count, flips));
    const least = leastOneSided(logs, count, level);
    if (least !== undefined) power += weight * upperTail(logs, count, least, share);
  }
  return power;
}

/** How many of `count` flips must go one way to be below the level; undefined where all of them are too few. */
function leastOneSided(logs: Float64Array, count: number, level: number): number | undefined {
  if (count === 0 || 2 * 2 ** -count >= level) return undefined;
  let tail = 0;
  let least = count + 1;
  while (least > count / 2) {
    const next = tail + Math.exp(logBinomial(logs, count, least - 1, 0.5));
    if (2 * next >= level) break;
    tail = next;
    least -= 1;
  }
  return least;
}

/** Chance of `least` or more heads in `count` throws. */
function upperTail(logs: Float64Array, count: number, least: number, heads: number): number {
  if (heads === 1) return 1;
  let sum = 0;
  for (let at = least; at <= count; at += 1) sum += Math.exp(logBinomial(logs, count, at, heads));
  return sum;
}

function logBinomial(logs: Float64Array, count: number, heads: number, chance: number): number {
  if (chance === 1) return heads === count ? 0 : Number.NEGATIVE_INFINITY;
  const ways = (logs[count] as number) - (logs[heads] as number) - (logs[count - heads] as number);
  return ways + heads * Math.log(chance) + (count - heads) * Math.log(1 - chance);
}

function logFactorials(most: number): Float64Array {
  const logs = new Float64Array(most + 1);
  for (let at = 1; at <= most; at += 1) logs[at] = (logs[at - 1] as number) + Math.log(at);
  return logs;
}
