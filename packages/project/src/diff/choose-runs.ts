import type { RunInfo } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { findRun } from '../records/find-run.ts';
import { catalogOf, isUnreadable, lookAtRecord, type RunPlaces } from '../records/open-record.ts';
import { isAtEngine, placeAtEngine, runIdOf } from '../records/record-place.ts';
import { runPath } from '../records/runs-folder.ts';

/** Places of two records. */
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
export async function chooseRuns([one, other]: readonly (string | undefined)[], host: RunPlaces): Promise<ChosenRuns> {
  const after = await findRun(other, host);
  if (one !== undefined) {
    const before = await findRun(one, host);
    if (before !== after || other !== undefined) return { before, after };
  }
  return { before: await runBefore(after, host), after };
}

/** Among those that are kept where it is. */
async function runBefore(after: string, host: RunPlaces): Promise<string> {
  const info = await readInfo(after, host);
  const catalog = await catalogOf(after, host);
  const ids = await catalog.ids();
  let sameFlow: string | undefined;
  for (const id of ids.slice(ids.indexOf(runIdOf(after)) + 1)) {
    const place = isAtEngine(after) ? placeAtEngine(catalog.shown, id) : runPath(host.runsFolder, id);
    const older = await infoOf(place, host);
    if (older === undefined || older.flowName !== info.flowName) continue;
    if (older.data?.path === info.data?.path) return place;
    sameFlow ??= place;
  }
  if (sameFlow !== undefined) return sameFlow;
  throw new ProjectFailure(`there is no run of ${info.flowName} before ${runIdOf(after)}`, {
    help: 'Name two runs: flow diff A B. flow runs lists them.',
    code: 'RunNotFound',
  });
}

/** Undefined for a file that is no record or is damaged: such a one is not chosen. */
async function infoOf(place: string, host: RunPlaces): Promise<RunInfo | undefined> {
  try {
    return await readInfo(place, host);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

async function readInfo(place: string, host: RunPlaces): Promise<RunInfo> {
  await using store = await lookAtRecord(place, host);
  return store.info;
}
