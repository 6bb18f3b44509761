import { resolve } from 'node:path';
import { ProjectFailure } from '../host/project-failure.ts';
import type { RunLine } from '../studio-contract/contract.ts';
import type { FoundEvaluation } from './evaluations.ts';
import type { Studio } from './studio.ts';

/** Runs of the list that are looked through, newest first. */
const maxRuns = 500;

/** Runs of an evaluation's flow over its data that have ended, newest first. */
export async function runsOf(evaluation: FoundEvaluation, studio: Studio): Promise<readonly RunLine[]> {
  const { runs } = await studio.runs({ limit: maxRuns });
  return runs.filter((run) => isOf(run, evaluation, studio.host.folder));
}

function isOf(run: RunLine, { flowFile, data }: FoundEvaluation, folder: string): boolean {
  const hasEnded = run.status !== 'Running' && run.status !== 'Unreadable' && (run.rows.value ?? 0) > 0;
  const flow = run.flowPath === undefined ? undefined : resolve(folder, run.flowPath);
  return hasEnded && flow !== undefined && flow === flowFile && run.data === data;
}

/**
 * The runs that are shown: those asked for, else the run of the baseline where it is there, and the newest.
 *
 * @throws ProjectFailure where one that was asked for is none of the evaluation's
 */
export function shownRuns(
  asked: readonly string[],
  candidates: readonly RunLine[],
  { baseline, path }: FoundEvaluation,
): readonly RunLine[] {
  const [newest] = candidates;
  const accepted = candidates.find(({ id }) => id === baseline?.run.id);
  if (asked.length === 0) return [...new Set([accepted, newest])].filter((run) => run !== undefined);
  return [...new Set(asked)].map((id) => {
    const found = candidates.find((run) => run.id === id);
    if (found !== undefined) return found;
    throw noSuchRun(id, path);
  });
}

/** It is not there, or of another flow or other data than the evaluation. */
export function noSuchRun(id: string, evaluation: string): ProjectFailure {
  return new ProjectFailure(`there is no run ${id} of the flow and data of ${evaluation}`, {
    code: 'RunNotFound',
    help: 'It may have been removed.',
  });
}
