import type { FoundEvaluation } from './evaluations.ts';
import type { HeldRun } from './held-run.ts';

/** That of the same data, else none: of other data an evaluation expects something else. */
export function usualEvaluation(
  evaluations: readonly FoundEvaluation[],
  { reader }: HeldRun,
): FoundEvaluation | undefined {
  const { data } = reader.info;
  return evaluations.find((one) => one.data !== undefined && one.data === data?.path && one.asked.length === 0);
}
