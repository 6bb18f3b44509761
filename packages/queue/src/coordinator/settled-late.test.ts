import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { openJobs } from '../jobs/index.ts';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { engineWorld } from '../testing/engine-world.ts';
import { beginAgain } from '../work/resume-work.ts';
import { findRunWork, type RunWork, stopRun } from '../work/run-work.ts';
import { settleRun } from '../work/settle-run.ts';
import { detachOnEngine } from './run-on-engine.ts';

test('who has last looked at a run while it stopped takes no jobs from it once it goes on', async () => {
  await using world = await engineWorld();
  const { database, host } = world;
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  const bulk = { ...defaultBulkSettings(host), flow: 'double', data: 'n.jsonl', name: 'r' };
  const id = await detachOnEngine({ bulk, durableNodes: false }, database, host);
  await using jobs = await openJobs(database, () => undefined);
  const found = async (): Promise<RunWork> => {
    const run = await findRunWork(id, database);
    if (run === undefined) throw new Error('the run is not there');
    return run;
  };
  await stopRun(await found(), 'asked', database);
  const stopping = await found();
  await settleRun(stopping, jobs, database);
  expect(await jobs.take(id, 1)).toEqual([]);
  const stopped = await found();
  expect(stopped.standing.state).toBe('stopped');
  await database.transaction(async (transaction) => {
    const begun = await beginAgain(stopped, stopped.settings, transaction);
    const [chunk = -1] = begun?.chunks ?? [];
    await jobs.add(id, [{ name: 'rows again', work: { kind: 'rows', chunk } }], transaction);
  });
  await settleRun(stopping, jobs, database);
  expect(await jobs.take(id, 1)).toHaveLength(1);
});
