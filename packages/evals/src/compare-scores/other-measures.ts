import type { Baseline, BaselineMetric } from '../baseline/baseline.ts';
import type { MetricResult, ResultComparison } from '../eval-result/eval-result.ts';

/**
 * Metrics that bear the name of an earlier one and are not measured as that was.
 *
 * @param measures by metric, what stands for how it is measured now
 */
export function otherMeasures(
  { metrics: befores }: Baseline,
  metrics: readonly MetricResult[],
  measures: ReadonlyMap<string, string>,
): Pick<ResultComparison, 'otherKinds' | 'turned' | 'measuredOtherwise'> {
  const namesWhere = (isOther: (before: BaselineMetric, now: MetricResult) => boolean): readonly string[] =>
    metrics.flatMap((now) => {
      const before = befores.find(({ name }) => name === now.name);
      return before !== undefined && isOther(before, now) ? [now.name] : [];
    });
  const isCompared = (before: BaselineMetric, now: MetricResult): boolean => before.kind === now.kind;
  const otherKinds = namesWhere((before, now) => !isCompared(before, now));
  const turned = namesWhere((before, now) => isCompared(before, now) && before.better !== now.better);
  const measuredOtherwise = namesWhere((before, now) => {
    const measure = measures.get(now.name);
    const isKnown = before.measuredBy !== undefined && measure !== undefined;
    return isCompared(before, now) && isKnown && before.measuredBy !== measure;
  });
  return {
    ...(otherKinds.length === 0 ? {} : { otherKinds }),
    ...(turned.length === 0 ? {} : { turned }),
    ...(measuredOtherwise.length === 0 ? {} : { measuredOtherwise }),
  };
}
