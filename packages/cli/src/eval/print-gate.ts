import { type EvalResult, type MetricResult, verdictSentences } from '@unroll/evals';
import { countOf } from '@unroll/project/words';
import type { Style } from '../text/style.ts';

/** The gates for people and for the log of a build: a line each, why, then the first bad node and its cause. */
export function gateText(result: EvalResult, style: Style): string {
  const { name, run, rows, baseline, metrics } = result;
  const against = baseline === undefined ? '' : `, compared with ${baseline.id}`;
  const head = `${style.strong(name)}  ${style.dim(`${run.id}, ${countOf(rows.total, 'row')}${against}`)}\n`;
  const lines = metrics.flatMap((metric) => (metric.gate === undefined ? [] : [gateLines(metric, metric.gate, style)]));
  const sentences = verdictSentences(result).map((sentence) => `${sentence}\n`);
  return [head, ...lines, '\n', ...sentences].join('');
}

function gateLines(
  { name, on }: MetricResult,
  { passed, rule, reason }: NonNullable<MetricResult['gate']>,
  style: Style,
): string {
  const mark = passed ? style.good('✓') : style.bad('✗');
  return `${mark} ${passed ? name : style.bad(name)}  ${style.dim(`${on}  ${rule}`)}\n    ${reason}\n`;
}
