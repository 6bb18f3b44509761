import { ProjectFailure } from '../host/project-failure.ts';
import type { FoundEvaluation } from './evaluations.ts';
import type { HeldRun } from './held-run.ts';

/**
 * The evaluation that a run is seen by.
 *
 * @param asked its path; `none` for none; undefined for the usual one
 * @param known those of the run's flow
 * @throws ProjectFailure where one is asked for that is none of these
 */
export function chosenEvaluation(
  asked: string | undefined,
  known: readonly FoundEvaluation[],
  run: HeldRun,
): FoundEvaluation | undefined {
  if (asked === 'none') return undefined;
  if (asked === undefined) return usualEvaluation(known, run);
  const found = known.find(({ path }) => path === asked);
  if (found !== undefined) return found;
  throw new ProjectFailure(`there is no evaluation ${asked} of run ${run.id}`, { code: 'EvalNotFound' });
}

/** That of the same data, else none: of other data an evaluation expects something else. */
function usualEvaluation(evaluations: readonly FoundEvaluation[], { reader }: HeldRun): FoundEvaluation | undefined {
  const { data } = reader.info;
  return evaluations.find((one) => one.data !== undefined && one.data === data?.path && one.asked.length === 0);
}
