import { runBulk } from '@unroll/engine';
import { ProjectFailure } from '@unroll/project';
import type { Database, Transaction } from '../database/database.ts';
import type { Jobs, TakenJob } from '../jobs/index.ts';
import { type PostgresRunLog, runLogOf } from '../record/postgres-run-log.ts';
import { addNote, chunkDone, endRun, readChunk, stopRun } from '../work/index.ts';
import { giveUpRow } from './give-up-row.ts';
import { NodesInFlight } from './nodes-in-flight.ts';
import type { RowSlots } from './row-slots.ts';
import { runRows } from './run-rows.ts';
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
}

/** A job that ended so many workers has a row that ends them: its rows run one by one from then on, so that it is known which. */
const triesTogether = 2;
/** After so many, that row is given up. */
const triesOfJob = 20;

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
  try {
    await using log = runLogOf(database, run.work, { fence, gatherMs, known: run.known });
    const work =
      job.work.kind === 'rows' ? doRows(run, job, log, lost.signal, context) : finish(run, job, log, context);
    await work;
  } finally {
    clearInterval(timer);
  }
  if (lost.signal.aborted) throw new JobLost();
}

async function doRows(
  run: WorkedRun,
  job: TakenJob,
  log: PostgresRunLog,
  lost: AbortSignal,
  context: JobContext,
): Promise<void> {
  if (job.work.kind !== 'rows') return;
  const { jobs, database, slots, name, stop, onBegun } = context;
  const { chunk, isLeft = false } = job.work;
  const rows = await readChunk(run.work, chunk, database, run.key).catch(failureOf);
  if (rows instanceof ProjectFailure) return await stopFor(rows.message, run, job, context);
  const mayHaveRun = isLeft || job.retryCount > 0 || run.work.attempt > 1;
  if (job.retryCount > 0) await addNote(run.work, takenAgain(rows, name), database);
  if (job.retryCount >= triesOfJob) await giveUpRow(run, rows, log);
  const oneByOne = job.retryCount >= triesTogether;
  const isDone =
    job.retryCount < triesOfJob &&
    (await runRows(run, { rows, log, oneByOne, mayHaveRun, onBegun, stop, lost }, slots));
  if (lost.aborted) return;
  await log.commitWith(async (transaction) => {
    if (isDone) {
      if (!(await jobs.complete(job, transaction))) throw new JobLost();
      await chunkDone(run.work, chunk, transaction);
    } else await jobs.giveBack(job, transaction);
  });
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
  if (job.retryCount >= triesOfJob)
    return await stopFor('every worker that ran the nodes over all rows ended without a word', run, job, context);
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
