import { type MetricComparison, type MetricResult, signedText } from '@unroll/evals';
import type { Style } from '../text/style.ts';
import type { Cell } from '../text/table.ts';

/** `−33 points, worse`; what may be chance without colour. */
export function comparisonCell(
  comparison: MetricComparison | undefined,
  metric: Pick<MetricResult, 'unit' | 'kind'>,
  style: Style,
): Cell {
  if (comparison === undefined) return { text: '' };
  const { difference, verdict } = comparison;
  const paint = { better: style.good, worse: style.bad, same: style.dim, 'not significant': style.dim }[verdict];
  return { text: verdict === 'same' ? 'same' : `${signedText(difference, metric)}, ${verdict}`, paint };
}
