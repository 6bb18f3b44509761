import type { Baseline } from '../baseline/baseline.ts';
import { baselineOf } from '../baseline/baseline-of.ts';
import type { EvalResult, MetricComparison, MetricResult, ResultComparison } from '../eval-result/eval-result.ts';
import { excludesZero, type Interval } from '../statistics/interval.ts';
import { benjaminiHochberg, jointLevel } from '../statistics/multiple-tests.ts';
import { type ComparisonOptions, level, rowsNeeded, type TestedMetric, testMetric } from './compare-metric.ts';
import { compareDefinitions } from './definition-changes.ts';
import { firstWorse } from './first-worse.ts';
import { measuredNodes } from './measured-nodes.ts';
import { otherMeasures } from './other-measures.ts';
import { type PairedRows, pairRows } from './pair-rows.ts';

/**
 * Compares an evaluation with an earlier one or with an accepted baseline, row by row, and says of each metric whether
 * it is better, worse, the same in every row, or not to be told apart from chance.
 *
 * The p values of all metrics are adjusted together (Benjamini and Hochberg), so that of what is called better or worse
 * at most 5 % is expected to be chance, however many metrics there are; and intervals are as wide as that asks for, so that
 * one excludes 0 just where its metric is better or worse. Metrics that no row is scored for in both, and
 * metrics that only one of them has, are not compared.
 *
 * @returns `after` with `baseline`, `comparison`, and the comparison of each metric
 */
export function compareResults(
  before: EvalResult | Baseline,
  after: EvalResult,
  options: ComparisonOptions = {},
): EvalResult {
  const [one, other] = ['rows' in before ? baselineOf(before) : before, baselineOf(after)];
  const paired = pairRows(one, other);
  const tested = after.metrics.map(({ name, kind }) => {
    const [was, is] = [metricOf(one, name), metricOf(other, name)];
    if (was?.kind !== kind || is === undefined) return undefined;
    return testMetric(was, is, paired.pairs, options);
  });
  const comparisons = judged(tested, after.metrics);
  const metrics = after.metrics.map((metric, at) => {
    const comparison = comparisons[at];
    return { ...metric, ...(comparison === undefined ? {} : { comparison }) };
  });
  const comparison = compareWhole(one, other, { paired, metrics, measures: options.measures ?? new Map() });
  return { ...after, metrics, baseline: one.run, comparison };
}

function metricOf({ metrics }: Baseline, name: string): Baseline['metrics'][number] | undefined {
  return metrics.find((metric) => metric.name === name);
}

interface WholeComparison {
  readonly paired: PairedRows;
  readonly metrics: readonly MetricResult[];
  readonly measures: ReadonlyMap<string, string>;
}

function compareWhole(
  before: Baseline,
  after: Baseline,
  { paired, metrics, measures }: WholeComparison,
): ResultComparison {
  const [was, is] = [before.run.made, after.run.made];
  const definitions = was === undefined || is === undefined ? undefined : compareDefinitions(was, is);
  const [oldData, data] = [was?.data?.digest, is?.data?.digest];
  const measured = measuredNodes(metrics, is);
  return {
    pairedBy: paired.pairedBy,
    paired: paired.pairs.length,
    onlyBefore: paired.onlyBefore,
    onlyAfter: paired.onlyAfter,
    newMetrics: metrics.filter(({ name, kind }) => metricOf(before, name)?.kind !== kind).map(({ name }) => name),
    ...goneMetrics(before, after),
    ...otherMeasures(before, metrics, measures),
    ...(oldData === undefined || data === undefined ? {} : { dataChanged: oldData !== data }),
    madeWith: {
      ...(was?.madeWith === undefined ? {} : { before: was.madeWith }),
      ...(is?.madeWith === undefined ? {} : { after: is.madeWith }),
    },
    ...(definitions === undefined ? {} : { changes: definitions.changes }),
    firstWorse: firstWorse({ before, after, paired, measured, definitions }),
  };
}

function goneMetrics(before: Baseline, after: Baseline): Pick<ResultComparison, 'goneMetrics'> {
  const gone = before.metrics.map(({ name }) => name).filter((name) => metricOf(after, name) === undefined);
  return gone.length === 0 ? {} : { goneMetrics: gone };
}

/** What the tests come to once all of them are looked at together. */
function judged(
  tested: readonly (TestedMetric | undefined)[],
  metrics: readonly MetricResult[],
): readonly (MetricComparison | undefined)[] {
  const compared = tested.filter((test) => test !== undefined);
  const pValues = compared.map(({ test: { pValue } }) => pValue);
  const adjusted = benjaminiHochberg(pValues);
  const intervalLevel = jointLevel(pValues, level);
  const found = adjusted.filter((p) => p < level).length;
  const ownLevel = (level * Math.min(found + 1, compared.length)) / compared.length;
  return tested.map((test, at): MetricComparison | undefined => {
    const metric = metrics[at];
    if (test === undefined || metric === undefined) return undefined;
    const {
      differences,
      test: { pValue, intervalAt },
      ...told
    } = test;
    const interval = intervalAt(intervalLevel);
    const verdict = verdictOf(test, interval, metric.better);
    const needed = verdict === 'not significant' ? rowsNeeded(test, ownLevel) : undefined;
    return {
      ...told,
      ...(interval === undefined ? {} : { interval, intervalLevel: 1 - intervalLevel }),
      pValue,
      adjustedPValue: adjusted[compared.indexOf(test)] ?? 1,
      verdict,
      ...(needed === undefined ? {} : { rowsNeeded: needed }),
    };
  });
}

function verdictOf(
  { differences, difference }: TestedMetric,
  interval: Interval | undefined,
  better: MetricResult['better'],
): MetricComparison['verdict'] {
  if (differences.every((one) => one === 0)) return 'same';
  if (!excludesZero(interval)) return 'not significant';
  return difference > 0 === (better === 'higher') ? 'better' : 'worse';
}
