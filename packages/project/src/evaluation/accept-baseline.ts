import { existsSync } from 'node:fs';
import { shownPath } from '@unroll/engine';
import { baselineOf, type EvalResult, stringifyBaseline } from '@unroll/evals';
import { writeOutputFile } from '../host/output-file.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { openRecord } from '../records/open-record.ts';
import { baselinePath } from './baseline-file.ts';
import type { EvaluatedFile } from './evaluate-file.ts';

/** A baseline that was written. */
export interface AcceptedBaseline {
  /** As it can be typed. */
  readonly path: string;
  /** Whether there was another one before. */
  readonly isReplaced: boolean;
  /** What it holds. */
  readonly result: EvalResult;
}

/**
 * Writes what an evaluation came to as the file that later ones are held to.
 *
 * @param given the file, in place of the baseline.json beside the eval.yaml
 * @throws ProjectFailure where the run is none of the flow's own, or the file cannot be written
 */
export async function acceptBaseline(
  { result, found, run, measures }: Pick<EvaluatedFile, 'result' | 'found' | 'run' | 'measures'>,
  given: string | undefined,
  host: ProjectHost,
): Promise<AcceptedBaseline> {
  await refuseGiven(run, host);
  const file = baselinePath(found, given, host);
  const path = shownPath(file, host.folder);
  const text = stringifyBaseline(baselineOf(result, measures));
  const isReplaced = existsSync(file);
  writeOutputFile(path, text, host);
  return { path, isReplaced, result };
}

/** @throws ProjectFailure where outputs of nodes were given to the run: nothing it scored is the flow's own */
async function refuseGiven(run: string, host: ProjectHost): Promise<void> {
  await using store = await openRecord(run, host);
  const { id, options: { oracle } = {} } = store.info;
  if (oracle === undefined) return;
  throw new ProjectFailure(`run ${id} was given outputs of its nodes: it is no baseline`, {
    help: 'Accept a run of the flow as it is.',
  });
}
