import { type DataRow, type RowId, runBulk, thrownText } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project';
import type { Database, Transaction } from '../database/database.ts';
import { isPassing } from '../database/database-failure.ts';
import { persistently } from '../database/persistently.ts';
import type { Jobs, TakenJob } from '../jobs/index.ts';
import { type PostgresRunLog, runLogOf } from '../record/postgres-run-log.ts';
import { damagedRun } from '../record/stored-info.ts';
import {
  addNote,
  chunkDone,
  endRun,
  forgetBegun,
  hasOpenChunk,
  type RunWork,
  readChunk,
  reportBegun,
  reportReturned,
  stopRun,
} from '../work/index.ts';
import { NodesInFlight } from './nodes-in-flight.ts';
import type { RowSlots } from './row-slots.ts';
import { runRows } from './run-rows.ts';
import { giveUpFirst, rowsLeft } from './suspect-rows.ts';
import type { WorkedRun } from './worked-run.ts';

/** The job was given to another worker, since nothing was heard of this one: what it still records counts no more. */
export class JobLost extends Error {}

export interface JobContext {
  readonly jobs: Jobs;
  readonly database: Database;
  readonly slots: RowSlots;
  /** Of this worker. */
  readonly name: string;
  /** Called once the rows of the job have begun to take their slots. */
  readonly onBegun: () => void;
  /** Aborted: what is left of a job is handed back. */
  readonly stop: AbortSignal;
  /** Told why a commit is made again. */
  readonly onRetry: (error: unknown, run: RunWork) => void;
}

/** A job that ended so many workers, and never because of a row that was told to begin, has its first row given up. */
const triesOfJob = 20;

/** A job that could not be done so often, or ended its workers, is not tried again. */
const maxTries = 3;

/** Records of rows gather for so long before they are committed together: a worker that dies takes no more with it. */
const gatherMs = 50;

/** How often the queue hears that a job is worked on; after 10 seconds without it is given away. */
const keepMs = 3000;

/**
 * Does one job to its end, or hands back what is left of it.
 *
 * @throws JobLost when it was given to another worker
 */
export async function doJob(run: WorkedRun, job: TakenJob, context: JobContext): Promise<void> {
  const { jobs, database } = context;
  const lost = new AbortController();
  const lose = (): void => lost.abort(new JobLost());
  const keep = (): void => {
    // Where the database is not reached, records are not kept either: that ends the job.
    jobs.keep(job).then(
      (isKept) => isKept || lose(),
      () => undefined,
    );
  };
  const timer = setInterval(keep, keepMs);
  const fence = async (transaction: Transaction): Promise<void> => {
    if (await jobs.keep(job, transaction)) return;
    lose();
    throw new JobLost();
  };
  const onRetry = (error: unknown): void => context.onRetry(error, run.work);
  const log = runLogOf(database, run.work, { fence, gatherMs, known: run.known, onRetry });
  try {
    await doWork(run, job, log, lost.signal, context);
  } catch (error) {
    // What can be recorded of it is; why that is not all is known.
    await Promise.allSettled([log[Symbol.asyncDispose]()]);
    if (!lost.signal.aborted)
      await (isUnreached(error) ? leave(run, job, context) : reportWhy(error, run, job, context));
    throw error;
  } finally {
    clearInterval(timer);
  }
  if (lost.signal.aborted) throw new JobLost();
}

async function doWork(
  run: WorkedRun,
  job: TakenJob,
  log: PostgresRunLog,
  lost: AbortSignal,
  context: JobContext,
): Promise<void> {
  if (job.work.kind === 'rows') return await doRows(run, job, log, lost, context);
  if (job.work.kind === 'finish') return await finish(run, job, log, context);
  await stopFor(damagedRun(run.work.id, 'a job of it').message, run, job, context);
}

function isUnreached(error: unknown): boolean {
  return isPassing(error) || (error instanceof ProjectFailure && error.code === 'EngineUnreachable');
}

/** Told to whoever follows the run; where other tries ended as this one, nobody is going to do better. */
async function reportWhy(error: unknown, run: WorkedRun, job: TakenJob, context: JobContext): Promise<void> {
  const { database, name } = context;
  const what = job.work.kind === 'rows' ? 'some of its rows' : 'the nodes over all rows';
  const reason = run.flow.redactor.message(thrownText(database.failureOf(error)));
  const why = `worker ${name} could not run ${what}: ${reason}`;
  const noted = job.deaths < maxTries - 1 ? addNote(run.work, why, database) : stopFor(why, run, job, context);
  // Where that fails as well, the worker itself tells what was first.
  await noted.catch(() => undefined);
}

async function handBack(job: TakenJob, jobs: Jobs, transaction: Transaction): Promise<void> {
  await jobs.giveBack(job, transaction);
  await reportReturned([job.run], transaction);
}

/** The database was out of reach for too long: as soon as it is there again, others need not wait until this worker is taken for dead. */
async function leave(run: WorkedRun, job: TakenJob, { jobs, database }: JobContext): Promise<void> {
  await persistently(() =>
    database.transaction(async (transaction) => {
      await forgetBegun(run.work, job, transaction);
      await handBack(job, jobs, transaction);
    }),
  );
}

async function doRows(
  run: WorkedRun,
  job: TakenJob,
  log: PostgresRunLog,
  lost: AbortSignal,
  context: JobContext,
): Promise<void> {
  if (job.work.kind !== 'rows') return;
  const { chunk } = job.work;
  const { jobs, database } = context;
  const rows = await persistently(() => readChunk(run.work, chunk, database, run.key)).catch(failureOf);
  if (rows instanceof ProjectFailure) return await stopFor(rows.message, run, job, context);
  if (job.deaths > 0) await persistently(() => addNote(run.work, takenAgain(rows, context.name), database));
  const isDone = await runAll(run, job, rows, log, lost, context);
  if (lost.aborted) return;
  await log.commitWith(async (transaction) => {
    if (isDone) {
      if (!(await jobs.complete(job, transaction))) throw new JobLost();
      await chunkDone(run.work, chunk, transaction);
    } else await handBack(job, jobs, transaction);
  });
}

/** @returns whether all rows have ended; those that were in flight when a worker ended run after the others, each alone */
async function runAll(
  run: WorkedRun,
  job: TakenJob,
  rows: readonly DataRow[],
  log: PostgresRunLog,
  lost: AbortSignal,
  { slots, stop, onBegun, database }: JobContext,
): Promise<boolean> {
  if (job.deaths >= triesOfJob) {
    await giveUpFirst(run, rows, log);
    return false;
  }
  const { isReturned, mayHaveRun, together, alone } = await rowsLeft(run, job, rows, log, database);
  const onBegin = (row: RowId): Promise<void> =>
    log.commitWith((transaction) => reportBegun(run.work, job, row, transaction));
  // Rows begin in their order: what was in flight is among the first that have not ended.
  const first = isReturned ? run.work.settings.concurrency : 0;
  const shared = { log, first, mayHaveRun, onBegun, stop, lost, ...(job.deaths > 0 ? { onBegin } : {}) };
  if (!(await runRows(run, { ...shared, rows: together, isAlone: false }, slots))) return false;
  for (const row of alone) {
    // Recorded before anything else begins: otherwise it would be taken for one that was in flight.
    if (!(await runRows(run, { ...shared, rows: [row], isAlone: true, onBegin }, slots))) return false;
  }
  return true;
}

function takenAgain(rows: readonly { readonly line: number }[], name: string): string {
  const [first, last] = [rows[0]?.line, rows.at(-1)?.line];
  const which = first === last ? `row ${first}` : `rows ${first} to ${last}`;
  return `a worker that had ${which} went silent; ${name} goes on there, and what was under way and not recorded runs again`;
}

function failureOf(error: unknown): ProjectFailure {
  if (error instanceof ProjectFailure) return error;
  throw error;
}

/** No worker can do the job: the run is stopped, and tells why. */
async function stopFor(
  why: string,
  { work }: WorkedRun,
  job: TakenJob,
  { jobs, database }: Pick<JobContext, 'jobs' | 'database'>,
): Promise<void> {
  await addNote(work, `${why}: the run is stopped`, database);
  await stopRun(work, 'asked', database);
  await database.transaction((transaction) => jobs.complete(job, transaction));
}

/** The aggregation nodes over all rows, by the ordinary runner, and the end of the run. */
async function finish(run: WorkedRun, job: TakenJob, log: PostgresRunLog, context: JobContext): Promise<void> {
  const { jobs } = context;
  if (job.deaths >= triesOfJob)
    return await stopFor('every worker that ran the nodes over all rows ended without a word', run, job, context);
  if (await persistently(() => hasOpenChunk(run.work, context.database)))
    return await stopFor(`run ${run.work.id} was to end before all its rows have`, run, job, context);
  const inFlight = new NodesInFlight();
  run.inFlight.add(inFlight);
  try {
    await runBulk(run.flow, [], log, {
      runId: run.work.id,
      concurrency: 1,
      stop: run.stopping.signal,
      onEvent: (event) => {
        inFlight.take(event);
        if (event.type === 'node-ended') run.nodeEnded(event.run);
      },
    });
  } finally {
    run.inFlight.delete(inFlight);
  }
  await run.sync();
  await log.commitWith(async (transaction) => {
    if (!(await jobs.complete(job, transaction))) throw new JobLost();
    if (!run.stopping.signal.aborted) await endRun(run.work, 'ended', transaction);
  });
}
