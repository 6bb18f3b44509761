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
  if (one !== undefined && other !== undefined) return await bothRuns(one, other, host);
  const after = await findRun(other, host);
  const before = one === undefined ? after : await findRun(one, host);
  return { before: before === after ? await runBefore(after, host) : before, after };
}

/** Where neither is there, both are told. */
async function bothRuns(one: string, other: string, host: RunPlaces): Promise<ChosenRuns> {
  const [before, after] = await Promise.allSettled([findRun(one, host), findRun(other, host)]);
  if (before.status === 'fulfilled' && after.status === 'fulfilled') {
    return { before: before.value, after: after.value };
  }
  const failures = [before, after].flatMap((found) => (found.status === 'rejected' ? [found.reason as unknown] : []));
  const [first, second] = failures;
  if (!(first instanceof ProjectFailure && second instanceof ProjectFailure)) throw first;
  if (first.message === second.message) throw first;
  const help = [...new Set([first.help, second.help])].filter((line) => line !== undefined).join('\n');
  throw new ProjectFailure(`${first.message}, and ${second.message}`, { help, code: first.code, kind: first.kind });
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
