import type { MetricComparison, MetricResult } from '../eval-result/eval-result.ts';
import { excludesZero, type Interval } from '../statistics/interval.ts';
import { benjaminiHochberg, jointLevel } from '../statistics/multiple-tests.ts';
import { level, rowsNeeded, type TestedMetric } from './compare-metric.ts';

/** What the tests come to once all of them are looked at together. */
export function judgeTogether(
  tested: readonly (TestedMetric | undefined)[],
  metrics: readonly Pick<MetricResult, 'better'>[],
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
