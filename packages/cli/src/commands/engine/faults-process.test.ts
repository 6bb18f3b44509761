import { startPostgres, startProxy, type TcpProxy } from '@unroll/queue/testing';
import { expect, test } from 'vitest';
import { type EngineProcesses, engineProcesses, gatedRows } from '../../testing/engine-processes.ts';
import type { FlowProcess } from '../../testing/flow-process.ts';

const rows = 24;
const run = ['run', 'gated', '--data', 'n.jsonl', '--name', 'r', '--json', '--durable-nodes'];
const limits = { timeout: 180_000 };

/** Rows whose node `ask` is recorded. */
async function askedOnRecord({ engine: { database } }: EngineProcesses): Promise<readonly number[]> {
  const found = await database.query<{ line: number }>(
    `SELECT line FROM ${database.schema}.node_end e JOIN ${database.schema}.node_name n ON n.run = e.run AND n.id = e.node
     WHERE n.name = 'ask' ORDER BY line`,
  );
  return found.map(({ line }) => line);
}

/** Two workers with four rows each in flight, six calls answered. @returns the rows whose calls are recorded */
async function underWay(there: EngineProcesses): Promise<readonly number[]> {
  await there.gate.whenAsked(8);
  there.gate.letThrough(6);
  await there.gate.whenAsked(14);
  let recorded = await askedOnRecord(there);
  while (recorded.length < 6) recorded = await askedOnRecord(there);
  return recorded;
}

function twoWorkers(there: EngineProcesses): Promise<readonly FlowProcess[]> {
  return Promise.all(['one', 'two'].map((name) => there.worker(name, '--concurrency', '4')));
}

/** Every row once, as undisturbed; no call that was recorded made again; of others that were, the run has told. */
async function expectUndisturbed(
  there: EngineProcesses,
  { code, stderr }: { readonly code: number | null; readonly stderr: string },
  recorded: readonly number[],
): Promise<void> {
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(await there.rowsOf('r')).toEqual(gatedRows(rows));
  const times = new Map<number, number>();
  for (const line of there.gate.asked) times.set(line, (times.get(line) ?? 0) + 1);
  expect([...times.keys()].sort((one, two) => one - two)).toEqual(Array.from({ length: rows }, (_, line) => line));
  expect(recorded.filter((line) => times.get(line) !== 1)).toEqual([]);
  const told = [...stderr.matchAll(/rows? (\d+)(?: to (\d+))? went silent/g)].map(([, from, to = from]) => [
    Number(from),
    Number(to),
  ]);
  const again = [...times].flatMap(([line, count]) => (count > 1 ? [line] : []));
  expect(again.filter((line) => !told.some(([from = 0, to = 0]) => from <= line && line <= to))).toEqual([]);
}

test('PostgreSQL crashes and is started again under a run', limits, async () => {
  await using server = await startPostgres();
  await using there = await engineProcesses(rows, { server });
  const workers = await twoWorkers(there);
  const followed = there.run(...run);
  const recorded = await underWay(there);
  await server.kill();
  await Promise.all(workers.map((worker) => worker.said('PostgreSQL is not reached')));
  there.gate.letThrough(3);
  await server.start();
  await Promise.all(workers.map((worker) => worker.said('PostgreSQL is reached again')));
  there.gate.open();
  await expectUndisturbed(there, await followed, recorded);
});

/** An engine that every process reaches through a proxy. */
async function throughProxy(): Promise<
  AsyncDisposable & { readonly there: EngineProcesses; readonly proxy: TcpProxy }
> {
  let proxy: TcpProxy | undefined;
  const there = await engineProcesses(rows, {
    through: async (url) => {
      proxy = await startProxy(url);
      return proxy.url;
    },
  });
  if (proxy === undefined) throw new Error('bug: an engine without an address');
  const kept = proxy;
  return {
    there,
    proxy: kept,
    async [Symbol.asyncDispose]() {
      await there[Symbol.asyncDispose]();
      await kept[Symbol.asyncDispose]();
    },
  };
}

test('PostgreSQL cannot be reached for a while', limits, async () => {
  await using world = await throughProxy();
  const { there, proxy } = world;
  const workers = await twoWorkers(there);
  const followed = there.run(...run);
  const recorded = await underWay(there);
  proxy.block();
  await Promise.all(workers.map((worker) => worker.said('PostgreSQL is not reached')));
  there.gate.letThrough(3);
  proxy.letThrough();
  await Promise.all(workers.map((worker) => worker.said('PostgreSQL is reached again')));
  there.gate.open();
  await expectUndisturbed(there, await followed, recorded);
});

test('connections break in the middle of answers, again and again', limits, async () => {
  await using world = await throughProxy();
  const { there, proxy } = world;
  await twoWorkers(there);
  const followed = there.run(...run);
  const recorded = await underWay(there);
  proxy.breakEvery(29, 6);
  there.gate.open();
  await expectUndisturbed(there, await followed, recorded);
  expect(proxy.broken()).toBe(6);
});

test('PostgreSQL has no room on its disk for a while', limits, async () => {
  await using there = await engineProcesses(rows);
  const workers = await twoWorkers(there);
  const followed = there.flow(...run);
  const recorded = await underWay(there);
  const { database } = there.engine;
  const { schema } = database;
  // What the server says then, from the server: a disk of its own that can be filled needs rights on the machine.
  // A number of a sequence stays taken, though the transaction that took it is rolled back.
  await database.query(`CREATE SEQUENCE ${schema}.refused`);
  await database.query(`CREATE FUNCTION ${schema}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM nextval('${schema}.refused');
    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`);
  await database.query(
    `CREATE TRIGGER full_disk BEFORE INSERT ON ${schema}.node_end FOR EACH ROW EXECUTE FUNCTION ${schema}.refuse()`,
  );
  there.gate.letThrough(3);
  let isRefused = false;
  while (!isRefused) {
    const [refused] = await database.query<{ is_called: boolean }>(`SELECT is_called FROM ${schema}.refused`);
    isRefused = refused?.is_called === true;
  }
  await Promise.race(workers.map((worker) => worker.said('PostgreSQL takes no records of run r, and is asked again')));
  await followed.said('for a while, and was asked again: could not extend file: No space left on device');
  await database.query(`DROP TRIGGER full_disk ON ${schema}.node_end`);
  there.gate.open();
  await expectUndisturbed(there, await followed.ended, recorded);
});

test('a worker stands still, and wakes when its rows are those of another one', limits, async () => {
  await using there = await engineProcesses(rows);
  const workers = await twoWorkers(there);
  const followed = there.run(...run);
  const recorded = await underWay(there);
  const [frozen] = workers;
  frozen?.child.kill('SIGSTOP');
  there.gate.open();
  const ended = await followed;
  frozen?.child.kill('SIGCONT');
  frozen?.child.kill('SIGTERM');
  expect((await frozen?.ended)?.code).toBe(0);
  await expectUndisturbed(there, ended, recorded);
  const { database } = there.engine;
  const [count] = await database.query<{ count: number }>(`SELECT count(*) FROM ${database.schema}.row_end`);
  expect(count?.count).toBe(rows);
});
