import type { Database } from '../database/database.ts';
import type { Jobs } from '../jobs/index.ts';
import { hasOpenChunk } from './chunks.ts';
import { endRun, type RunWork } from './run-work.ts';

/**
 * Brings a run on where nobody is at work on it any more: to its aggregation nodes, to its end, or to a stop. Anybody may do it at any
 * time, several at once too; so a run needs no process of its own.
 */
export async function settleRun(run: RunWork, jobs: Jobs, database: Database): Promise<void> {
  const { state } = run.standing;
  await jobs.openQueue(run.id);
  if (state === 'stopping') {
    await jobs.dropQueued(run.id);
    if (!(await jobs.isAnyActive(run.id))) await endRun(run, 'stopped', database);
    return;
  }
  if (state !== 'running' || (await hasOpenChunk(run, database))) return;
  if (!run.info.nodes.some(({ aggregation }) => aggregation === true)) {
    await endRun(run, 'ended', database);
    return;
  }
  await jobs.add(run.id, [{ name: `finish ${run.attempt}`, work: { kind: 'finish' } }], database);
}
