import type { EvalResult, MetricResult } from '../eval-result/eval-result.ts';

/**
 * How a node does by its metrics: `bad` where a gate fails, one is worse than the baseline, or a mean is below 70 % and no gate
 * says that this will do; `good` from 90 %.
 */
export type Tone = 'good' | 'fair' | 'bad' | 'unmeasured';

export interface NodeTone {
  readonly tone: Tone;
  /** Metrics that tell, the worst first. */
  readonly metrics: readonly MetricResult[];
}

/** @param names of a node and what it may be measured as: its instances, its family, an output as `outputs.answer` */
export function toneOfNode({ metrics }: Pick<EvalResult, 'metrics'>, names: readonly string[]): NodeTone {
  const own = metrics
    .filter(({ node, on, summary }) => names.includes(node ?? outputOf(on)) && summary.mean !== null)
    .map((metric) => ({ metric, tone: toneOfMetric(metric) }))
    .sort((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone) || meanOf(one) - meanOf(other));
  return { tone: own[0]?.tone ?? 'unmeasured', metrics: own.map(({ metric }) => metric) };
}

const order: readonly Tone[] = ['bad', 'fair', 'good', 'unmeasured'];

function meanOf({ metric }: { readonly metric: MetricResult }): number {
  return metric.summary.mean ?? 0;
}

/** `outputs.answer.text` is of `outputs.answer`. */
function outputOf(on: string): string {
  return /^outputs\.[^.[]+/.exec(on)?.[0] ?? on;
}

/** Amounts (tokens, turns, times) have no good and bad of their own: only a gate or a baseline says. */
function toneOfMetric({ gate, comparison, better, unit, summary, kind, scores }: MetricResult): Tone {
  if (gate?.passed === false || comparison?.verdict === 'worse') return 'bad';
  const isShare = kind === 'pass' || (unit === undefined && scores.values.every((value) => value >= 0 && value <= 1));
  if (!isShare || better === 'lower') return gate?.passed === true ? 'good' : 'unmeasured';
  const mean = summary.mean ?? 0;
  if (mean >= 0.9) return 'good';
  return mean >= 0.7 || gate?.passed === true ? 'fair' : 'bad';
}
