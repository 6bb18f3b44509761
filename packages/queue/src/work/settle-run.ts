import type { Database } from '../database/database.ts';
import type { Jobs } from '../jobs/index.ts';
import { hasOpenChunk } from './chunks.ts';
import { endRun, type RunWork } from './run-work.ts';

/**
 * Drops the jobs that nobody has, and ends the run once nobody has one. Whoever makes it go on, or hands a job back, waits until
 * this is over.
 */
async function settleStopping(run: RunWork, jobs: Jobs, database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const sql = `SELECT 1 FROM ${transaction.schema}.run_work
      WHERE run = $1 AND attempt = $2 AND state = 'stopping' FOR UPDATE`;
    if ((await transaction.query(sql, [run.number, run.attempt])).length === 0) return;
    await jobs.dropQueued(run.id, transaction);
    if (!(await jobs.isAnyActive(run.id, transaction))) await endRun(run, 'stopped', transaction);
  });
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
  if (state !== 'running' || (await hasOpenChunk(run, database))) return;
  if (!run.info.nodes.some(({ aggregation }) => aggregation === true)) {
    await endRun(run, 'ended', database);
    return;
  }
  await jobs.add(run.id, [{ name: `finish ${run.attempt}`, work: { kind: 'finish' } }], database);
}
