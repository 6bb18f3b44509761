import { type MetricResult, signedText } from '@unroll/evals';
import type { Interval, MetricDifference } from '../studio-contract/contract.ts';
import { scoreFigure } from './figures.ts';

/** How a metric differs from that of the run it was compared with; undefined where no row is scored in both. */
export function metricDifference(metric: MetricResult): MetricDifference | undefined {
  const { comparison } = metric;
  if (comparison === undefined) return undefined;
  const { before, after, difference, pairs, adjustedPValue, verdict, flips, interval, rowsNeeded } = comparison;
  return {
    ...{ metric: metric.name, kind: metric.kind, pairs, adjustedPValue, verdict },
    before: scoreFigure(before, metric),
    after: scoreFigure(after, metric),
    difference: { ...scoreFigure(difference, metric), text: signedText(difference, metric) },
    ...(interval === undefined ? {} : { interval: signedInterval(interval, metric) }),
    ...(flips === undefined ? {} : { flips: { fixed: flips.fixed, broken: flips.broken } }),
    ...(rowsNeeded === undefined ? {} : { rowsNeeded }),
  };
}

/** `−31.6 to −7.9 points`: the unit once, where it is a word. */
function signedInterval(
  { low, high }: { readonly low: number; readonly high: number },
  metric: MetricResult,
): Interval {
  const [from, to] = [signedText(low, metric), signedText(high, metric)];
  return { low, high, text: `${from.replace(/ (points|ms|tokens)$/, '')} to ${to}` };
}
