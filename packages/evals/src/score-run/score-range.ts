import type { PreparedEvaluator } from '../evaluators/evaluator.ts';
import type { ValueRange } from '../statistics/mean-interval.ts';

/** Of its scores; what is counted in a unit is never below 0. */
export function scoreRange({ kind, range, unit }: PreparedEvaluator): ValueRange | undefined {
  if (kind === 'pass') return [0, 1];
  return range ?? (unit === undefined ? undefined : [0, Number.POSITIVE_INFINITY]);
}
