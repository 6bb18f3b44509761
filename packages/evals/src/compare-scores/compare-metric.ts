import type { BaselineMetric } from '../baseline/baseline.ts';
import type { Flips, MetricComparison } from '../score-run/eval-result.ts';
import { rowsForFlips } from '../statistics/flip-power.ts';
import { mcnemarExact } from '../statistics/mcnemar-test.ts';
import { meanInterval } from '../statistics/mean-interval.ts';
import { rowsForMean, signFlipTest } from '../statistics/paired-difference.ts';
import { plannedPower } from '../statistics/planned-power.ts';
import type { RowPlaces } from './pair-rows.ts';

/** Chance of a false finding over all metrics. */
export const level = 0.05;

/** What is drawn: of the intervals and permutation tests. */
export interface ComparisonOptions {
  readonly seed?: number;
  readonly resamples?: number;
}

/** A metric of two results before the other metrics are looked at. */
export interface TestedMetric extends Omit<MetricComparison, 'adjustedPValue' | 'verdict' | 'rowsNeeded'> {
  /** after - before, of each row that is scored in both. */
  readonly differences: readonly number[];
}

/**
 * Compares one metric row by row: the mean difference with its interval (`meanInterval`); McNemar's exact test where every
 * row passed or failed, else (numbers, rows that were repeated) a permutation test of the rows' differences.
 *
 * @returns undefined where no row is scored in both
 */
export function testMetric(
  before: BaselineMetric,
  after: BaselineMetric,
  rows: readonly RowPlaces[],
  { seed = 1, resamples }: ComparisonOptions,
): TestedMetric | undefined {
  const pairs: ScoredPair[] = [];
  for (const { before: place, after: laterPlace, line } of rows) {
    const [was, is] = [before.scores[place] ?? null, after.scores[laterPlace] ?? null];
    if (was !== null && is !== null) pairs.push({ was, is, line });
  }
  if (pairs.length === 0) return undefined;
  const lost = rows.filter((row) => isScored(before, row.before) && !isScored(after, row.after)).length;
  const isBinary = after.kind === 'pass' && pairs.every(({ was, is }) => isBit(was) && isBit(is));
  const differences = pairs.map(({ was, is }) => is - was);
  const interval = meanInterval(differences, seed, false, resamples);
  const flips = flipsOf(pairs, after.better);
  return {
    pairs: pairs.length,
    before: mean(pairs.map(({ was }) => was)),
    after: mean(pairs.map(({ is }) => is)),
    difference: mean(differences),
    ...(interval === undefined ? {} : { interval }),
    pValue: isBinary ? mcnemarExact(flips) : signFlipTest(differences, seed),
    ...(after.kind === 'pass' ? { flips } : {}),
    ...(lost === 0 ? {} : { lost }),
    differences,
  };
}

interface ScoredPair {
  readonly was: number;
  readonly is: number;
  /** Of the later run. */
  readonly line: number;
}

function isScored({ scores }: BaselineMetric, place: number): boolean {
  return (scores[place] ?? null) !== null;
}

function isBit(score: number): boolean {
  return score === 0 || score === 1;
}

const linesTold = 20;

/** A row that was repeated turned where it passes more often, or less often, than before. */
function flipsOf(pairs: readonly ScoredPair[], better: BaselineMetric['better']): Flips {
  const sign = better === 'higher' ? 1 : -1;
  const fixed = pairs.filter(({ was, is }) => sign * (is - was) > 0).map(({ line }) => line);
  const broken = pairs.filter(({ was, is }) => sign * (is - was) < 0).map(({ line }) => line);
  return {
    fixed: fixed.length,
    broken: broken.length,
    ...(fixed.length === 0 ? {} : { fixedLines: fixed.slice(0, linesTold) }),
    ...(broken.length === 0 ? {} : { brokenLines: broken.slice(0, linesTold) }),
  };
}

/**
 * Rows that would show a difference such as the one seen.
 *
 * @param ownLevel what is left of `level` for this metric among the others
 */
export function rowsNeeded({ differences, flips }: TestedMetric, ownLevel: number): number | undefined {
  const isBinary = flips !== undefined && differences.every((one) => one === 0 || Math.abs(one) === 1);
  if (!isBinary) return rowsForMean(differences, ownLevel, plannedPower);
  const rows = differences.length;
  return rowsForFlips({ fixed: flips.fixed / rows, broken: flips.broken / rows }, ownLevel, plannedPower);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
