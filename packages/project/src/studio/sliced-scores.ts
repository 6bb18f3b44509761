import { type EvalResult, type MetricResult, type Slice, sliceNotes, sliceText, sliceVerdictText } from '@unroll/evals';
import type { SlicedScores } from '../studio-contract/contract.ts';
import { intervalView, scoreFigure } from './figures.ts';
import type { Language } from './lens.ts';
import { metricDifference } from './metric-difference.ts';

/** The scores of a run by the columns that its evaluation tells them apart by. */
export function slicedScores(result: EvalResult, language: Language): readonly SlicedScores[] {
  const method = sliceVerdictText(result, language);
  return (result.slices ?? []).map((sliced) => ({
    column: sliced.column,
    slices: sliced.slices.map((slice) => ({
      value: sliceText(slice, language),
      isNone: slice.value === null,
      rows: slice.lines.length,
      scores: result.metrics.flatMap((metric) => scoreView(slice, metric, language)),
    })),
    notes: [...sliceNotes(sliced, result, language), ...(method === undefined ? [] : [method])],
  }));
}

function scoreView(
  { metrics }: Slice,
  metric: MetricResult,
  language: Language,
): SlicedScores['slices'][number]['scores'] {
  const found = metrics.find(({ name }) => name === metric.name);
  if (found === undefined) return [];
  const { mean, interval, scored, comparison } = found;
  const { comparison: _whole, ...ofMetric } = metric;
  const difference = comparison === undefined ? undefined : metricDifference({ ...ofMetric, comparison }, language);
  return [
    {
      metric: metric.name,
      mean: scoreFigure(mean, metric),
      ...(interval === undefined ? {} : { interval: intervalView(interval, metric, language) }),
      scored,
      ...(difference === undefined ? {} : { difference }),
    },
  ];
}
