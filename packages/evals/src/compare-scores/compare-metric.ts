import type { BaselineMetric } from '../baseline/baseline.ts';
import type { MetricComparison } from '../score-run/eval-result.ts';
import { type BootstrapOptions, bootstrapMean } from '../statistics/bootstrap-interval.ts';
import { rowsForFlips } from '../statistics/flip-power.ts';
import { mcnemarExact } from '../statistics/mcnemar-test.ts';
import { rowsForMean, signFlipTest } from '../statistics/paired-difference.ts';
import type { RowPlaces } from './pair-rows.ts';

/** Chance of a false finding over all metrics, and of finding a difference that is there. */
export const level = 0.05;
export const power = 0.8;

/** A metric of two results before the other metrics are looked at. */
export interface TestedMetric extends Omit<MetricComparison, 'adjustedPValue' | 'verdict' | 'rowsNeeded'> {
  /** after - before, of each row that is scored in both. */
  readonly differences: readonly number[];
}

/**
 * Compares one metric row by row: the mean difference with its bootstrap interval; McNemar's exact test where every
 * row passed or failed, else (numbers, rows that were repeated) a permutation test of the rows' differences.
 *
 * @returns undefined where no row is scored in both
 */
export function testMetric(
  before: BaselineMetric,
  after: BaselineMetric,
  rows: readonly RowPlaces[],
  options: BootstrapOptions,
): TestedMetric | undefined {
  const pairs = rows.flatMap((places): (readonly [number, number])[] => {
    const [was, is] = [before.scores[places.before] ?? null, after.scores[places.after] ?? null];
    return was === null || is === null ? [] : [[was, is]];
  });
  if (pairs.length === 0) return undefined;
  const isBinary = after.kind === 'pass' && pairs.flat().every((score) => score === 0 || score === 1);
  const differences = pairs.map(([was, is]) => is - was);
  const interval = bootstrapMean(
    differences.map((one) => [one]),
    options,
  );
  const flips = {
    fixed: pairs.filter(([was, is]) => is > was).length,
    broken: pairs.filter(([was, is]) => is < was).length,
  };
  return {
    pairs: pairs.length,
    before: mean(pairs.map(([was]) => was)),
    after: mean(pairs.map(([, is]) => is)),
    difference: mean(differences),
    ...(interval === undefined ? {} : { interval }),
    pValue: isBinary ? mcnemarExact(flips) : signFlipTest(differences, options.seed),
    ...(after.kind === 'pass' ? { flips } : {}),
    differences,
  };
}

/**
 * Rows that would show a difference such as the one seen.
 *
 * @param ownLevel what is left of `level` for this metric among the others
 */
export function rowsNeeded({ differences, flips }: TestedMetric, ownLevel: number): number | undefined {
  const isBinary = flips !== undefined && differences.every((one) => one === 0 || Math.abs(one) === 1);
  if (!isBinary) return rowsForMean(differences, ownLevel, power);
  const rows = differences.length;
  return rowsForFlips({ fixed: flips.fixed / rows, broken: flips.broken / rows }, ownLevel, power);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
