import type { BaselineMetric } from '../baseline/baseline.ts';
import type { Flips, MetricComparison } from '../eval-result/eval-result.ts';
import { rowsForFlips } from '../statistics/flip-power.ts';
import { meanOf } from '../statistics/mean-of.ts';
import { pairedTest, rowsForMean } from '../statistics/paired-difference.ts';
import type { PairedTest } from '../statistics/paired-test.ts';
import { plannedPower } from '../statistics/planned-power.ts';
import type { RowPlaces } from './pair-rows.ts';

/** Chance of a false finding over all metrics. */
export const level = 0.05;

export interface ComparisonOptions {
  /** Of what permutation tests draw. */
  readonly seed?: number;
  /** By metric, what stands for how it is measured now. */
  readonly measures?: ReadonlyMap<string, string>;
}

/** A metric of two results before the other metrics are looked at. */
export interface TestedMetric
  extends Omit<
    MetricComparison,
    'adjustedPValue' | 'verdict' | 'rowsNeeded' | 'interval' | 'intervalLevel' | 'pValue'
  > {
  /** after - before, of each row that is scored in both. */
  readonly differences: readonly number[];
  readonly test: PairedTest;
}

/**
 * Compares one metric row by row: the mean difference, and the test that tells p and interval (`pairedTest`).
 *
 * @returns undefined where no row is scored in both
 */
export function testMetric(
  before: BaselineMetric,
  after: BaselineMetric,
  rows: readonly RowPlaces[],
  { seed = 1 }: ComparisonOptions,
): TestedMetric | undefined {
  const pairs: ScoredPair[] = [];
  for (const { before: place, after: laterPlace, line } of rows) {
    const [was, is] = [before.scores[place] ?? null, after.scores[laterPlace] ?? null];
    if (was !== null && is !== null) pairs.push({ was, is, line });
  }
  if (pairs.length === 0) return undefined;
  const lost = rows.filter((row) => isScored(before, row.before) && !isScored(after, row.after)).length;
  const differences = pairs.map(({ was, is }) => is - was);
  const scores = pairs.map(({ was, is }) => [was, is] as const);
  const flips = flipsOf(pairs, after.better);
  return {
    pairs: pairs.length,
    before: meanOf(pairs.map(({ was }) => was)),
    after: meanOf(pairs.map(({ is }) => is)),
    difference: meanOf(differences),
    ...(after.kind === 'pass' ? { flips } : {}),
    ...(lost === 0 ? {} : { lost }),
    differences,
    test: pairedTest(scores, { isPass: after.kind === 'pass', seed }),
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
