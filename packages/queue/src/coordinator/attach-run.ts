import { type BulkOutcome, type ProjectHost, recordedOutcome } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { openJobs } from '../jobs/index.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';
import { settleRun, stopRun } from '../work/index.ts';
import { followRun } from './follow-run.ts';
import { requireRun, wholeRun } from './require-run.ts';
import { endOf } from './run-end.ts';

/**
 * Follows a run that anybody began, from anywhere; its record stays where it is.
 *
 * @param leave aborted: the run goes on without being followed
 * @returns undefined where it was left
 * @throws ProjectFailure when there is no such run
 */
export async function attachRun(
  id: string,
  database: Database,
  host: ProjectHost,
  leave: AbortSignal,
): Promise<BulkOutcome | undefined> {
  await using jobs = await openJobs(database, () => undefined);
  const run = await requireRun(id, database);
  const record = { id: run.id, file: '', path: `${database.shown}, run ${run.id}` };
  const over = await followRun(run, { record, isResumed: false, leave }, jobs, database, host);
  if (over === undefined) return undefined;
  await using reader = await openRunReader(database, run.id);
  const outcome = await recordedOutcome(reader, record, await endOf(over, reader, host), host);
  host.report({ type: 'run-ended', outcome });
  return outcome;
}

/**
 * Asks a run to stop: no new row begins, those in flight end.
 *
 * @param given as a user names it
 * @returns its id, and whether it was under way
 * @throws ProjectFailure when there is no such run
 */
export async function stopOnEngine(
  given: string,
  database: Database,
): Promise<{ readonly id: string; readonly wasUnderWay: boolean }> {
  const run = await requireRun(given, database);
  await using jobs = await openJobs(database, () => undefined);
  const wasUnderWay = run.standing.state === 'running' || run.standing.state === 'stopping';
  await stopRun(run, 'asked', database);
  if (wasUnderWay) await settleRun(await wholeRun(run.id, database), jobs, database);
  return { id: run.id, wasUnderWay };
}
