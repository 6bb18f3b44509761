import { type RandomStream, randomStream } from './random-stream.ts';

/** Subsets that are drawn, each with the rows it leaves out as another. */
const draws = 10_000;
/** Up to so many rows all subsets are looked at. */
const maxExact = 13;

/** Means of subsets of rows, least first, with the mean of all; of the empty one there is none. */
export type SubsetMeans = Float64Array;

/** Of all subsets where there are at most 13 rows (8,191 means), else of 20,000 drawn ones. */
export function subsetMeans(differences: readonly number[], seed: number): SubsetMeans {
  const means = differences.length <= maxExact ? allMeans(differences) : drawnMeans(differences, seed);
  return means.sort();
}

function allMeans(differences: readonly number[]): Float64Array {
  const means = new Float64Array(2 ** differences.length - 1);
  const mean = meanWithoutDust(differences);
  for (let subset = 1; subset <= means.length; subset += 1) {
    let [sum, count] = [0, 0];
    for (const [bit, difference] of differences.entries()) {
      if ((subset >> bit) & 1) [sum, count] = [sum + difference, count + 1];
    }
    means[subset - 1] = mean(sum, count);
  }
  return means;
}

function drawnMeans(differences: readonly number[], seed: number): Float64Array {
  const random = randomStream(seed);
  const mean = meanWithoutDust(differences);
  const rows = differences.length;
  const whole = sumOf(differences);
  const means = new Float64Array(2 * draws + 1);
  means[0] = mean(whole, rows);
  for (let filled = 1; filled < means.length; ) {
    const { sum, count } = drawSubset(differences, random);
    if (count === 0 || count === rows) continue;
    means.set([mean(sum, count), mean(whole - sum, rows - count)], filled);
    filled += 2;
  }
  return means;
}

/** A draw has 32 bits, and so a choice for 32 rows. */
function drawSubset(values: readonly number[], random: RandomStream): { readonly sum: number; readonly count: number } {
  let sum = 0;
  let count = 0;
  let bits = 0;
  for (let at = 0; at < values.length; at += 1) {
    bits = at % 32 === 0 ? (random() * 4_294_967_296) | 0 : bits >>> 1;
    const isIn = bits & 1;
    sum += isIn * (values[at] as number);
    count += isIn;
  }
  return { sum, count };
}

/** Sums that cancel out leave something in their last bits, which would put them on one side of 0. */
function meanWithoutDust(differences: readonly number[]): (sum: number, count: number) => number {
  const dust = 1e-12 * differences.reduce((all, one) => all + Math.abs(one), 0);
  return (sum, count) => (Math.abs(sum) <= dust ? 0 : sum / count);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
