import type { EvaluationPage } from '@unroll/project/studio-contract';

/** Place of the first run among the marks: where one alone is compared with the baseline, that has the first. */
export function firstMark({ runs, metrics }: EvaluationPage): 0 | 1 {
  return runs.length === 1 && metrics.some((metric) => metric.runs[0]?.difference !== undefined) ? 1 : 0;
}
