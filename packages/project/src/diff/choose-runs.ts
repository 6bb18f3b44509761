import type { RunInfo } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { isUnreadable, lookAtRecord } from '../records/open-record.ts';
import { findRun, listRunIds, runIdOf, runPath } from '../records/runs-folder.ts';

/** Paths of two records. */
export interface ChosenRuns {
  readonly before: string;
  readonly after: string;
}

/**
 * The two runs to compare. Without the second the newest run is taken; without the first the newest of the same flow that
 * is older than it, over the same data where there is one.
 *
 * @throws ProjectFailure when there is no such run
 */
export async function chooseRuns(
  [one, other]: readonly (string | undefined)[],
  host: Pick<ProjectHost, 'folder' | 'runsFolder'>,
): Promise<ChosenRuns> {
  const after = findRun(other, host);
  if (one !== undefined) {
    const before = findRun(one, host);
    if (before !== after || other !== undefined) return { before, after };
  }
  return { before: await runBefore(after, host.runsFolder), after };
}

async function runBefore(after: string, folder: string): Promise<string> {
  const info = await infoOf(after);
  const ids = listRunIds(folder);
  let sameFlow: string | undefined;
  for (const id of ids.slice(ids.indexOf(runIdOf(after)) + 1)) {
    const path = runPath(folder, id);
    const older = await infoOf(path);
    if (older === undefined || older.flowName !== info?.flowName) continue;
    if (older.data?.path === info.data?.path) return path;
    sameFlow ??= path;
  }
  if (sameFlow !== undefined) return sameFlow;
  throw new ProjectFailure(`there is no run of ${info?.flowName ?? 'that flow'} before ${runIdOf(after)}`, {
    help: 'Name two runs: flow diff A B. flow runs lists them.',
    code: 'RunNotFound',
  });
}

/** Undefined for a file that is no record or is damaged: such a one is not chosen. */
async function infoOf(path: string): Promise<RunInfo | undefined> {
  try {
    await using store = lookAtRecord(path);
    return store.info;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
