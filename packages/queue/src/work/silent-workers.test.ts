import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openJobs, type TakenJob } from '../jobs/index.ts';
import { createRun } from '../record/stored-run.ts';
import { freshEngine } from '../testing/fresh-engine.ts';
import { listWorkers } from './known-workers.ts';
import { giveAwaySilent } from './silent-workers.ts';

const info = { flowPath: 'f', flowName: 'f', flowDigest: 'd', startedAt: 5, nodes: [] };

async function worldOfJobs() {
  const engine = await freshEngine();
  const { database } = engine;
  await database.query("INSERT INTO unroll.bundle (id, manifest) VALUES ('b', '{}')");
  const jobs = await openJobs(database, () => undefined);
  const begin = async (id: string, state: string): Promise<TakenJob> => {
    const { number } = await createRun(database, { ...info, id });
    await database.query(
      `INSERT INTO unroll.run_work (run, bundle, settings, version, state, began_at) VALUES ($1, 'b', '{}', '1', $2, now())`,
      [number, state],
    );
    await jobs.openQueue(id);
    await jobs.add(id, [{ name: 'rows 0', work: { kind: 'rows', chunk: 0 } }], database);
    const [job] = await jobs.take(id, 1);
    if (job === undefined) throw new Error('there is no job');
    return job;
  };
  /** A worker that told so many seconds ago what it has in hand. */
  const worker = async (seconds: number, held: unknown): Promise<void> => {
    await database.query(
      `INSERT INTO unroll.worker (id, name, host, process, version, concurrency, seen_at, jobs, works)
       VALUES ($1, 'w', 'h', 1, '1', 1, clock_timestamp() - $2 * interval '1 second', $3, '{"lost": 4}')`,
      [randomUUID(), seconds, JSON.stringify(held)],
    );
  };
  const close = async (): Promise<void> => {
    await jobs[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
  };
  return { database, jobs, begin, worker, [Symbol.asyncDispose]: close };
}

function held({ run, id, retryCount }: TakenJob) {
  return { run, id, retryCount };
}

test('what a silent worker has in hand goes to others at once; what others have stays theirs', async () => {
  await using world = await worldOfJobs();
  const { database, jobs } = world;
  const [lost, own, over] = [
    await world.begin('lost', 'running'),
    await world.begin('own', 'running'),
    await world.begin('over', 'ended'),
  ];
  await world.worker(9, [held(lost), held(over), { ...held(own), retryCount: 1 }]);
  await world.worker(-5, [held(own)]);
  await world.worker(60, ['no job']);
  await Promise.all([giveAwaySilent(jobs, database), giveAwaySilent(jobs, database)]);
  expect([await jobs.keep(lost), await jobs.keep(own), await jobs.keep(over)]).toEqual([false, true, true]);
  const [again] = await jobs.take('lost', 5);
  expect(again).toMatchObject({ run: 'lost', work: { ...lost.work, lost: 1 } });
  const sql = "SELECT w.returned FROM unroll.run_work w JOIN unroll.run r ON r.number = w.run WHERE r.id = 'lost'";
  expect(await database.query(sql)).toEqual([{ returned: 1 }]);
  // Its rows are in flight nowhere until somebody takes them.
  const silent = (await listWorkers(database)).filter(({ silentMs }) => silentMs > 0);
  expect(silent.map(({ works }) => works)).toEqual([{}]);
  // Told once; it may be another's by now.
  await giveAwaySilent(jobs, database);
  expect(again !== undefined && (await jobs.keep(again))).toBe(true);
});

test('a worker that died before the clock of the database stepped back is silent too', async () => {
  await using world = await worldOfJobs();
  const { database, jobs } = world;
  const lost = await world.begin('lost', 'running');
  await world.worker(-3600, [held(lost)]);
  expect(await listWorkers(database)).toEqual([]);
  await giveAwaySilent(jobs, database);
  expect(await jobs.keep(lost)).toBe(false);
});

test('a job that somebody else just looks at keeps none of the others of a silent worker', async () => {
  await using world = await worldOfJobs();
  const { database, jobs } = world;
  const [one, other] = [await world.begin('one', 'running'), await world.begin('other', 'running')];
  await world.worker(9, [held(one), held(other)]);
  let giving: Promise<void> | undefined;
  await database.transaction(async (transaction) => {
    await transaction.query('SELECT 1 FROM unroll_jobs.job WHERE id = $1 FOR UPDATE', [other.id]);
    giving = giveAwaySilent(jobs, database);
    await expect.poll(() => jobs.keep(one), { timeout: 60_000 }).toBe(false);
    // As the queue does where it finds both: it waited for that one, which waited for this one.
    await transaction.query('SELECT 1 FROM unroll_jobs.job WHERE id = $1 FOR UPDATE', [one.id]);
  }, 'BEGIN');
  await giving;
  expect(await jobs.keep(other)).toBe(false);
});
