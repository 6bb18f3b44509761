import { defaultBulkSettings } from '@unroll/project';
import { expect, test } from 'vitest';
import { detachOnEngine } from '../coordinator/run-on-engine.ts';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { type EngineWorld, engineWorld } from '../testing/engine-world.ts';
import { startWorker } from '../testing/local-worker.ts';

const limits = { timeout: 120_000 };

async function worldOf(rows: number): Promise<EngineWorld> {
  const world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(rows) });
  return world;
}

async function submit({ host, database }: EngineWorld, name: string): Promise<void> {
  const bulk = { ...defaultBulkSettings(host), flow: 'double', data: 'n.jsonl', name };
  await detachOnEngine({ bulk, durableNodes: false }, database, host);
}

async function states({ database }: EngineWorld): Promise<readonly unknown[]> {
  const found = await database.query<{ state: string }>('SELECT state FROM unroll.run_work ORDER BY run');
  return found.map(({ state }) => state);
}

async function notes({ database }: EngineWorld): Promise<readonly unknown[]> {
  const found = await database.query<{ message: string }>('SELECT message FROM unroll.work_note ORDER BY run, number');
  return found.map(({ message }) => message);
}

const unreadable = 'a job of it';

const hostile = [
  ['null', unreadable],
  ['"x"', unreadable],
  ['[]', unreadable],
  ['{"kind": "dance"}', unreadable],
  ['{"kind": "rows", "chunk": "abc"}', unreadable],
  ['{"kind": "rows", "chunk": 1e20}', unreadable],
  ['{"kind": "rows", "chunk": 0, "lost": "x"}', unreadable],
  ['{"kind": "rows", "chunk": 999}', 'chunk 999 of its rows'],
  ['{"kind": "finish"}', undefined],
] as const;

test('a job that nobody of ours wrote ends no worker, and stops its run, which says so', limits, async () => {
  await using world = await worldOf(2);
  for (const [at, [data]] of hostile.entries()) {
    await submit(world, `bad-${at}`);
    await world.database.query(
      'UPDATE unroll_jobs.job SET data = $1 WHERE id = (SELECT id FROM unroll_jobs.job ORDER BY created_on DESC LIMIT 1)',
      [data],
    );
  }
  await using _worker = startWorker(world);
  await expect.poll(() => states(world), { timeout: 60_000 }).toEqual(hostile.map(() => 'stopped'));
  const damage = (what: string | undefined, at: number): string =>
    what === undefined
      ? `run bad-${at} was to end before all its rows have: the run is stopped`
      : `run bad-${at} is damaged in the database: ${what} cannot be read: the run is stopped`;
  expect(await notes(world)).toEqual(hostile.map(([, what], at) => damage(what, at)));
});

test('jobs that are missing are there again, and the run comes to its end', limits, async () => {
  await using world = await worldOf(3);
  await submit(world, 'r');
  await world.database.query("DELETE FROM unroll_jobs.job WHERE state = 'created'");
  await using _worker = startWorker(world);
  await expect.poll(() => states(world), { timeout: 60_000 }).toEqual(['ended']);
  expect(await notes(world)).toEqual(['jobs of it were missing in the database, and are there again']);
  const rows = await world.database.query('SELECT line FROM unroll.row_end ORDER BY line');
  expect(rows).toEqual([{ line: 0 }, { line: 1 }, { line: 2 }]);
});
