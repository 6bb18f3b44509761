import type { EngineWork } from '@unroll/project';
import type { Database } from '../database/database.ts';
import { readPaces } from '../limits/index.ts';
import { findRunWork, listWorkers, pacesOn, workersOn } from '../work/index.ts';

/**
 * Who works on a run and what holds it back, as `flow attach` tells it.
 *
 * @returns undefined where it is over, or never was on workers
 */
export async function engineWork(id: string, database: Database): Promise<EngineWork | undefined> {
  const run = await findRunWork(id, database);
  if (run === undefined) return undefined;
  const { state, tokens, cost, elapsedMs } = run.standing;
  if (state !== 'running' && state !== 'stopping') return undefined;
  const workers = await listWorkers(database);
  const { budget = {}, timeoutMs } = run.settings;
  return {
    isStopping: state === 'stopping',
    workers: workersOn(id, workers),
    paces: pacesOn(id, workers, await readPaces(database)),
    budget: timeoutMs === undefined ? budget : { seconds: timeoutMs / 1000, ...budget },
    spent: { tokens, cost, elapsedMs },
  };
}
