import type { Baseline } from '../baseline/baseline.ts';
import { baselineOf } from '../baseline/baseline-of.ts';
import type { EvalResult, MetricResult, ResultComparison } from '../eval-result/eval-result.ts';
import { type ComparisonOptions, testMetric } from './compare-metric.ts';
import { compareSlices } from './compare-slices.ts';
import { compareDefinitions } from './definition-changes.ts';
import { firstWorse } from './first-worse.ts';
import { judgeTogether } from './judge-together.ts';
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
 * metrics that only one of them has, are not compared. Slices are judged together too, apart from the whole: asking for them
 * changes no verdict.
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
  const comparisons = judgeTogether(tested, after.metrics);
  const metrics = after.metrics.map((metric, at) => {
    const comparison = comparisons[at];
    return { ...metric, ...(comparison === undefined ? {} : { comparison }) };
  });
  const comparison = compareWhole(one, other, { paired, metrics, measures: options.measures ?? new Map() });
  const slices = compareSlices(after, one, other, { pairs: paired.pairs, options });
  return { ...after, metrics, ...slices, baseline: one.run, comparison };
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
