import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../database/database.ts';
import type { Jobs } from '../jobs/index.ts';
import { hasOpenChunk, openChunks } from './chunks.ts';
import { endRun, type RunWork, reportReturned } from './run-work.ts';
import { addNote } from './work-notes.ts';

/** Drops the jobs that nobody has, and ends the run once nobody has one. */
async function settleStopping(run: RunWork, jobs: Jobs, database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await isStill('stopping', run, transaction))) return;
    await jobs.dropQueued(run.id, transaction);
    if (!(await jobs.isAnyActive(run.id, transaction))) await endRun(run, 'stopped', transaction);
  });
}

/** Rows that have not ended and that no job is there for would be waited for without end. */
async function restoreJobs(run: RunWork, jobs: Jobs, database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await isStill('running', run, transaction)) || (await jobs.isAnyOpen(run.id, transaction))) return;
    const chunks = await openChunks(run, transaction);
    // With names of their own: a job that is over keeps the one it had.
    const again = chunks.map((chunk) => ({ name: randomUUID(), work: { kind: 'rows', chunk, isLeft: true } as const }));
    await jobs.add(run.id, again, transaction);
    if (again.length > 0)
      await addNote(run, 'jobs of it were missing in the database, and are there again', transaction);
    await reportReturned([run.id], transaction);
  });
}

/** Locks it: whoever makes it go on, or hands a job back, waits until this transaction is over. */
async function isStill(
  state: 'running' | 'stopping',
  { number, attempt }: RunWork,
  transaction: Transaction,
): Promise<boolean> {
  const sql = `SELECT 1 FROM ${transaction.schema}.run_work WHERE run = $1 AND attempt = $2 AND state = $3 FOR UPDATE`;
  return (await transaction.query(sql, [number, attempt, state])).length > 0;
}

/**
 * Brings a run on where nobody is at work on it any more: to its aggregation nodes, to its end, or to a stop. Anybody may do it at any
 * time, several at once too; so a run needs no process of its own.
 */
export async function settleRun(run: RunWork, jobs: Jobs, database: Database): Promise<void> {
  const { state } = run.standing;
  await jobs.openQueue(run.id);
  if (state === 'stopping') {
    await settleStopping(run, jobs, database);
    return;
  }
  if (state !== 'running' || (await jobs.isAnyOpen(run.id, database))) return;
  if (await hasOpenChunk(run, database)) {
    await restoreJobs(run, jobs, database);
    return;
  }
  if (!run.info.nodes.some(({ aggregation }) => aggregation === true)) {
    await endRun(run, 'ended', database);
    return;
  }
  await jobs.add(run.id, [{ name: `finish ${run.attempt}`, work: { kind: 'finish' } }], database);
}
