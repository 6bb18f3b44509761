import { expect, test } from 'vitest';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { freshDatabase } from '../testing/index.ts';
import { installJobs, type Jobs, openJobs, type TakenJob } from './index.ts';

async function openWorld() {
  const fresh = await freshDatabase();
  const database = await openDatabase(fresh.url);
  await migrate(database);
  await installJobs(database);
  const jobs = await openJobs(database, () => undefined);
  await jobs.openQueue('東京-1');
  const close = async (): Promise<void> => {
    await jobs[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await fresh[Symbol.asyncDispose]();
  };
  return { database, jobs, [Symbol.asyncDispose]: close };
}

async function taken(jobs: Jobs): Promise<TakenJob> {
  const [job] = await jobs.take('東京-1', 1);
  if (job === undefined) throw new Error('there is no job');
  return job;
}

const rows = (chunk: number) => ({ name: `rows ${chunk}`, work: { kind: 'rows', chunk } }) as const;

test('a job is added once, taken by one, and completed once', async () => {
  await using world = await openWorld();
  const { jobs, database } = world;
  await jobs.add('東京-1', [rows(0), rows(1)], database);
  await jobs.add('東京-1', [rows(1), rows(2)], database);
  const [first, second] = await Promise.all([jobs.take('東京-1', 2), jobs.take('東京-1', 2)]);
  const chunks = [...first, ...second].map(({ work }) => (work.kind === 'rows' ? work.chunk : -1));
  expect(chunks.sort()).toEqual([0, 1, 2]);
  const job = [...first, ...second][0] as TakenJob;
  expect(await jobs.keep(job)).toBe(true);
  expect(await jobs.isAnyActive('東京-1', database)).toBe(true);
  expect(await jobs.complete(job, database)).toBe(true);
  expect([await jobs.complete(job, database), await jobs.keep(job)]).toEqual([false, false]);
});

test('what a transaction that is rolled back has done to jobs is not done', async () => {
  await using world = await openWorld();
  const { jobs, database } = world;
  await jobs.add('東京-1', [rows(0)], database);
  const job = await taken(jobs);
  const undone = database.transaction(async (transaction) => {
    expect(await jobs.complete(job, transaction)).toBe(true);
    await jobs.add('東京-1', [rows(1)], transaction);
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  expect(await jobs.keep(job)).toBe(true);
  expect(await jobs.take('東京-1', 1)).toEqual([]);
});

test('a job that is handed back is taken anew, and counts as no failure', async () => {
  await using world = await openWorld();
  const { jobs, database } = world;
  await jobs.add('東京-1', [rows(7)], database);
  const job = await taken(jobs);
  await database.transaction((transaction) => jobs.giveBack(job, transaction));
  expect(await jobs.keep(job)).toBe(false);
  expect(await taken(jobs)).toMatchObject({ work: { kind: 'rows', chunk: 7, isLeft: true }, retryCount: 0 });
});

test('a job that comes back is the next one that is taken, before those of later rows', async () => {
  await using world = await openWorld();
  const { jobs, database } = world;
  await jobs.add('東京-1', [rows(0), rows(1), rows(2)], database);
  const first = await taken(jobs);
  // As it is found where nothing was heard of its worker.
  await database.query(
    "UPDATE unroll_jobs.job SET heartbeat_on = heartbeat_on - interval '1 minute' WHERE state = 'active'",
  );
  await expect.poll(() => jobs.isAnyActive('東京-1', database), { timeout: 60_000 }).toBe(false);
  expect(await taken(jobs)).toMatchObject({ id: first.id, retryCount: 1 });
});

test('what has come back is told from what nobody had, and can be taken beside what is in hand', async () => {
  await using world = await openWorld();
  const { jobs, database } = world;
  await jobs.add('東京-1', [rows(0), rows(1), rows(2)], database);
  const [first, second] = [await taken(jobs), await taken(jobs)];
  expect(await jobs.takeReturned('東京-1')).toBeUndefined();
  await jobs.giveAway(second, database);
  // Whoever takes it for that of the worker before gives nothing away.
  await jobs.giveAway(second, database);
  expect([await jobs.keep(first), await jobs.keep(second)]).toEqual([true, false]);
  const again = await jobs.takeReturned('東京-1');
  expect(again).toMatchObject({ work: { kind: 'rows', chunk: 1, lost: 1 }, deaths: 1 });
  expect(await jobs.takeReturned('東京-1')).toBeUndefined();
  if (again !== undefined) await jobs.giveAway(again, database);
  expect(await taken(jobs)).toMatchObject({ work: { kind: 'rows', chunk: 1, lost: 2 }, deaths: 2 });
});

test('the job of the nodes over all rows that a worker lost is taken anew, and the death counts', async () => {
  await using world = await openWorld();
  const { jobs, database } = world;
  await jobs.add('東京-1', [{ name: 'finish 1', work: { kind: 'finish' } }], database);
  const job = await taken(jobs);
  expect(await database.transaction((transaction) => jobs.giveAway(job, transaction))).toBe(true);
  expect(await jobs.complete(job, database)).toBe(false);
  const again = await taken(jobs);
  expect(again).toMatchObject({ work: { kind: 'finish' }, deaths: 1 });
  // Whoever still takes it for that of the worker before gives nothing away.
  expect(await database.transaction((transaction) => jobs.giveAway(job, transaction))).toBe(false);
  expect(await jobs.complete(again, database)).toBe(true);
});

test('what nobody has taken can be dropped', async () => {
  await using world = await openWorld();
  const { jobs, database } = world;
  await jobs.add('東京-1', [rows(0), rows(1)], database);
  const job = await taken(jobs);
  await jobs.dropQueued('東京-1', database);
  expect(await jobs.take('東京-1', 5)).toEqual([]);
  expect(await jobs.keep(job)).toBe(true);
  await jobs.complete(job, database);
  expect(await jobs.isAnyActive('東京-1', database)).toBe(false);
});
