import { findAtEngine, ProjectFailure, runIdOf } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { storedRuns } from '../record/stored-run.ts';
import { findRunWork, type RunWork } from '../work/index.ts';

/**
 * The run a user names: by its id, the start of one, or `latest`.
 *
 * @throws ProjectFailure with the nearest name when there is none, or several
 */
export async function requireRun(given: string, database: Database): Promise<RunWork> {
  return await wholeRun(runIdOf(await findAtEngine(given, storedRuns(database))), database);
}

/** @throws ProjectFailure when no run of that id is or was on workers */
export async function wholeRun(id: string, database: Database): Promise<RunWork> {
  const found = await findRunWork(id, database);
  if (found !== undefined) return found;
  throw new ProjectFailure(`run ${id} at ${database.shown} never was on workers`, { code: 'RunNotFound' });
}
