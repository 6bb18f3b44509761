import { openSqliteRunReader, shownPath } from '@unroll/engine';
import { systemClock } from '@unroll/nodes';
import {
  type BulkOutcome,
  madeWith,
  type ProjectHost,
  type RunRecord,
  recordedOutcome,
  runPath,
} from '@unroll/project';
import type { Database } from '../database/database.ts';
import { untilReached } from '../database/until-reached.ts';
import { type Jobs, openJobs } from '../jobs/index.ts';
import { pullRun } from '../record/pull-run.ts';
import { findStoredRun } from '../record/stored-run.ts';
import { findRunWork, type RunWork, stopRun } from '../work/index.ts';
import { followRun, reportNoWorker } from './follow-run.ts';
import { endOf } from './run-end.ts';
import { type SubmitSettings, submitRun } from './submit-run.ts';

/**
 * Runs a flow over data on workers, as an ordinary run over data for whoever asked for it; at the end its record is a file here.
 *
 * @param signal aborted: no new row begins, those in flight end
 * @throws what `submitRun` does
 */
export async function runOnEngine(
  settings: SubmitSettings,
  database: Database,
  host: ProjectHost,
  signal: AbortSignal,
): Promise<BulkOutcome> {
  await using jobs = await openJobs(database, () => undefined);
  const id = await submitRun(settings, jobs, database, host);
  return await runToItsEnd(id, { isResumed: false, signal }, jobs, database, host);
}

/**
 * Hands a run over data to the workers, and leaves it to them.
 *
 * @returns its id
 * @throws what `submitRun` does
 */
export async function detachOnEngine(settings: SubmitSettings, database: Database, host: ProjectHost): Promise<string> {
  await using jobs = await openJobs(database, () => undefined);
  const id = await submitRun(settings, jobs, database, host);
  await reportNoWorker(madeWith().version, database, host);
  return id;
}

/** Follows a run of this process, and brings its record here. */
export async function runToItsEnd(
  id: string,
  { isResumed, signal }: { readonly isResumed: boolean; readonly signal: AbortSignal },
  jobs: Jobs,
  database: Database,
  host: ProjectHost,
): Promise<BulkOutcome> {
  const run = await findRunWork(id, database);
  if (run === undefined) throw new Error(`bug: run ${id} is not there`);
  const record = recordOf(id, host);
  const onStop = (stopped: RunWork): Promise<void> => stopRun(stopped, 'asked', database);
  const over = await followRun(run, { record, isResumed, stop: signal, onStop }, jobs, database, host);
  if (over === undefined) throw new Error(`bug: run ${id} was left`);
  // Nothing is lost by waiting: the run is over.
  const pull = async (): Promise<void> => {
    await pullRun(database, await findStoredRun(database, id), record.file);
  };
  await untilReached(pull, systemClock, new AbortController().signal);
  await using store = openSqliteRunReader(record.file);
  const outcome = await recordedOutcome(store, record, await endOf(over, store, host), host);
  host.report({ type: 'run-ended', outcome });
  return outcome;
}

function recordOf(id: string, { runsFolder, folder }: ProjectHost): RunRecord {
  const file = runPath(runsFolder, id);
  return { id, file, path: shownPath(file, folder) };
}
