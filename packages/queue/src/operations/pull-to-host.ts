import { existsSync } from 'node:fs';
import { openSqliteRunReader, RunFileError, type RunInfo, shownPath } from '@unroll/engine';
import { findAtEngine, ProjectFailure, type ProjectHost, type RunRecord, runIdOf, runPath } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { type PullSettings, pullRun } from '../record/pull-run.ts';
import { findStoredRun, storedRuns } from '../record/stored-run.ts';

/**
 * Copies a run as it is now into the folder of runs, also while it is under way. An earlier copy is replaced.
 *
 * @param given id of the run, the start of one, or `latest`
 * @throws ProjectFailure when there is no such run, or another one of its name here
 */
export async function pullToHost(
  given: string,
  database: Database,
  host: ProjectHost,
  settings: PullSettings = {},
): Promise<RunRecord> {
  const id = runIdOf(await findAtEngine(given, storedRuns(database)));
  const run = await findStoredRun(database, id);
  const file = runPath(host.runsFolder, id);
  if (existsSync(file)) await requireCopy(file, run.info);
  await pullRun(database, run, file, settings);
  return { id, file, path: shownPath(file, host.folder) };
}

/** @throws ProjectFailure when what is there is no copy of the run */
async function requireCopy(file: string, { id, startedAt, flowDigest }: RunInfo): Promise<void> {
  try {
    await using there = openSqliteRunReader(file, { onDamage: () => {} });
    if (there.info.startedAt === startedAt && there.info.flowDigest === flowDigest) return;
  } catch (error) {
    if (!(error instanceof RunFileError)) throw error;
  }
  throw new ProjectFailure(`there is another run ${id} here: ${file}`, {
    code: 'RunExists',
    help: '--runs-dir FOLDER names another folder for what is pulled.',
  });
}
