import { type MetricResult, pValueText, signedText } from '@unroll/evals';
import type { Interval, MetricDifference } from '../studio-contract/contract.ts';
import { scoreFigure } from './figures.ts';
import type { Language } from './lens.ts';

/** How a metric differs from that of the run it was compared with; undefined where no row is scored in both. */
export function metricDifference(metric: MetricResult, language: Language = 'en'): MetricDifference | undefined {
  const { comparison } = metric;
  if (comparison === undefined) return undefined;
  const { before, after, difference, pairs, adjustedPValue, verdict, flips, interval, rowsNeeded, lost } = comparison;
  return {
    ...{ metric: metric.name, kind: metric.kind, pairs, adjustedPValue, verdict, p: pValueText(adjustedPValue) },
    before: scoreFigure(before, metric),
    after: scoreFigure(after, metric),
    difference: { ...scoreFigure(difference, metric), text: signedText(difference, metric, language) },
    ...(interval === undefined ? {} : { interval: signedInterval(interval, metric, language) }),
    ...(flips === undefined ? {} : { flips: { fixed: flips.fixed, broken: flips.broken } }),
    ...(rowsNeeded === undefined ? {} : { rowsNeeded }),
    ...(lost === undefined ? {} : { lost }),
  };
}

/** `−31.6 to −7.9 points`: the unit once, where it is a word. */
function signedInterval(
  { low, high }: { readonly low: number; readonly high: number },
  metric: MetricResult,
  language: Language,
): Interval {
  const [from, to] = [signedText(low, metric, language), signedText(high, metric, language)];
  const between = language === 'ja' ? '～' : ' to ';
  return { low, high, text: `${from.replace(/ (points|ポイント|ms|tokens)$/, '')}${between}${to}` };
}
