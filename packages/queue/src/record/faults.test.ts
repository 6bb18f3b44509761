import { allOf, type NodeRun, type RowRun, type RunDamage } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { isPassing } from '../database/database-failure.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { startCutProxy } from '../testing/cut-proxy.ts';
import { freshDatabase } from '../testing/fresh-database.ts';
import { openRunLog } from './postgres-run-log.ts';
import { openRunReader } from './postgres-run-reader.ts';
import { createRun } from './stored-run.ts';

const info = runInfo({
  nodes: [
    { name: 'a', kind: 'python' },
    { name: 'b', kind: 'python' },
  ],
});
const node = (line: number, output: string, name = 'a', inputs: NodeRun['inputs'] = { n: line }): NodeRun => ({
  line,
  node: name,
  kind: 'python',
  status: 'Completed',
  inputs,
  output,
});
const row = (line: number, outputs: RowRun['outputs'] = { o: line }): RowRun => ({
  line,
  status: 'Completed',
  inputs: { n: line },
  outputs,
  startedAt: 1,
  durationMs: 2,
});
const long = (word: string): string => `${word} `.repeat(30);

async function ready(url: string): Promise<Database> {
  const database = await openDatabase(url);
  await migrate(database);
  await createRun(database, info);
  return database;
}

test('of two that write the same row the first one counts, and what the other adds is whole', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await using one = await openRunLog(database, 'r');
  await using other = await openRunLog(database, 'r');
  await one.append([node(0, long('first'))]);
  // What goes into b is what this process believes a gave.
  await other.append([node(0, long('second')), node(0, 'told', 'b', { text: long('second') })]);
  await one.append([], row(0, { o: long('first') }));
  await other.append([], row(0, { o: long('second') }));
  const kept = [node(0, long('first')), node(0, 'told', 'b', { text: long('second') })];
  expect(await one.nodes(0)).toEqual(kept);
  expect(await other.row(0)).toEqual(row(0, { o: long('first') }));
  expect((await allOf(other.digests())).map(({ node: name }) => name)).toEqual(['a', 'b']);
});

test('many that write one run at the same time lose nothing and double nothing', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  const logs = await Promise.all([1, 2, 3].map(() => openRunLog(database, 'r')));
  const lines = Array.from({ length: 60 }, (_, line) => line);
  // Each of them writes every row, in an order of its own, and nodes nobody has named before.
  await Promise.all(
    logs.flatMap((log, at) =>
      lines
        .map((line) => (line * (at + 1) + at * 7) % lines.length)
        .map((line) => log.append([node(line, long(`of ${line}`)), node(line, 'x', `c${line % 5}`)], row(line))),
    ),
  );
  await using reader = await openRunReader(database, 'r');
  const records = await allOf(reader.records());
  expect(records.map((record) => record.row)).toEqual(lines.map((line) => row(line)));
  expect(records.map(({ nodes }) => nodes.map((one) => one.output))).toEqual(
    lines.map((line) => [long(`of ${line}`), 'x']),
  );
  expect(await reader.nodeCounts()).toMatchObject([{ node: 'a', records: 60 }, ...Array(5).fill({ records: 12 })]);
});

test('who has lost its lease writes nothing more', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await database.query("CREATE TABLE lease AS SELECT 'one' AS owner");
  const leased = (owner: string) =>
    openRunLog(database, 'r', {
      async fence(transaction) {
        const held = await transaction.query('SELECT 1 FROM lease WHERE owner = $1 FOR SHARE', [owner]);
        if (held.length === 0) throw new Error(`the lease of ${owner} is lost`);
      },
    });
  const one = await leased('one');
  await one.append([node(0, 'before')]);
  await database.query("UPDATE lease SET owner = 'two'");
  await using two = await leased('two');
  await two.append([node(0, 'again'), node(0, 'after', 'b')], row(0));
  await expect(one.append([node(0, 'too late', 'b')], row(0, { o: 'late' }))).rejects.toThrow(
    'the lease of one is lost',
  );
  await expect(one.append([node(1, 'later')])).rejects.toThrow('the lease of one is lost');
  await expect(one.appendMetrics({ mean: 1 })).rejects.toThrow('the lease of one is lost');
  await using reader = await openRunReader(database, 'r');
  expect(await reader.nodes(0)).toEqual([node(0, 'before'), node(0, 'after', 'b')]);
  expect([await reader.row(0), await reader.nodes(1), await reader.metrics()]).toEqual([row(0), [], {}]);
});

test('what is done with a commit is done with the records, or not at all', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await database.query('CREATE TABLE job AS SELECT false AS is_done');
  const log = await openRunLog(database, 'r');
  void log.append([node(0, 'x')], row(0));
  await log.commitWith(async (transaction) => void (await transaction.query('UPDATE job SET is_done = true')));
  expect(await database.query('SELECT is_done FROM job')).toEqual([{ is_done: true }]);
  log.append([node(1, 'x')], row(1)).catch(() => {});
  const failing = log.commitWith(async (transaction) => {
    await transaction.query('UPDATE job SET is_done = false');
    throw new Error('the job is not done');
  });
  await expect(failing).rejects.toThrow('the job is not done');
  await using reader = await openRunReader(database, 'r');
  expect(await database.query('SELECT is_done FROM job')).toEqual([{ is_done: true }]);
  expect((await allOf(reader.rows())).map(({ line }) => line)).toEqual([0]);
});

test.each([
  ['before', 'BEGIN'],
  ['before', 'INSERT INTO unroll.segment'],
  ['after', 'INSERT INTO unroll.node_end'],
  ['before', 'COMMIT'],
  ['after', 'COMMIT'],
] as const)('a connection that is lost %s %s is made again: every record is there once', async (when, at) => {
  await using fresh = await freshDatabase();
  await using proxy = await startCutProxy(fresh.url);
  await using database = await ready(proxy.url);
  await using log = await openRunLog(database, 'r');
  await log.append([node(0, long('first'))]);
  const lost = proxy.cutAt(at, when);
  await log.append([node(0, 'y', 'b', { text: long('first') })], row(0, { o: long('first') }));
  await lost;
  await log.append([node(1, 'z')], row(1));
  expect(await allOf(log.records())).toEqual([
    { row: row(0, { o: long('first') }), nodes: [node(0, long('first')), node(0, 'y', 'b', { text: long('first') })] },
    { row: row(1), nodes: [node(1, 'z')] },
  ]);
});

test('what takes longer than the server lets a statement take is recorded and read all the same', async () => {
  await using fresh = await freshDatabase();
  await using owner = await ready(fresh.url);
  const name = new URL(fresh.url).pathname.slice(1);
  await owner.query(`CREATE FUNCTION unroll.slow() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$`);
  await owner.query('CREATE TRIGGER slow BEFORE INSERT ON unroll.node_end FOR EACH ROW EXECUTE FUNCTION unroll.slow()');
  await owner.query(`ALTER DATABASE ${name} SET statement_timeout = '200ms'`);
  await owner.query(`ALTER DATABASE ${name} SET lock_timeout = '200ms'`);
  await using database = await openDatabase(fresh.url);
  await using log = await openRunLog(database, 'r', { retryForMs: 0 });
  await log.append([node(0, 'x')], row(0));
  expect(await log.nodes(0)).toEqual([node(0, 'x')]);
  const cancelled = await database.query('SELECT pg_sleep(5)').catch((error: unknown) => database.failureOf(error));
  expect(cancelled).toMatchObject({ help: expect.stringContaining('statement_timeout') });
});

test('a process that stands still in the middle of a commit keeps others out for seconds only, and its commit is made again', {
  timeout: 120_000,
}, async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await using other = await openDatabase(fresh.url);
  await using log = await openRunLog(database, 'r');
  const [begun, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const committed = log.commitWith(async (transaction) => {
    await transaction.query("UPDATE unroll.run SET ended_at = now() WHERE id = 'r'");
    begun.resolve();
    await woken.promise;
  });
  await begun.promise;
  await other.query("UPDATE unroll.run SET ended_at = NULL WHERE id = 'r'");
  woken.resolve();
  await committed;
  expect(await other.query('SELECT ended_at IS NULL AS lost FROM unroll.run')).toEqual([{ lost: false }]);
});

test('a process that stands still while it makes a run, or the tables, keeps others out for seconds only', {
  timeout: 120_000,
}, async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await using making = await startCutProxy(fresh.url);
  await using migrating = await startCutProxy(fresh.url);
  await using frozen = await openDatabase(making.url);
  await using other = await openDatabase(migrating.url);
  const held = [making.holdAt('INSERT INTO unroll.run '), migrating.holdAt('pg_advisory_xact_lock')];
  const stands = [createRun(frozen, { ...info, id: 'new' }), migrate(other)].map((work) =>
    work.catch((error: unknown) => error),
  );
  await Promise.all(held);
  await Promise.all([createRun(database, { ...info, id: 'new' }), migrate(database)]);
  expect((await Promise.all(stands)).map((failed) => (isPassing(failed) ? 'undone' : failed))).toEqual([
    'undone',
    'undone',
  ]);
});

test('a server that does not come back is told, in words and without its password', async () => {
  await using fresh = await freshDatabase();
  const proxy = await startCutProxy(fresh.url);
  await using database = await ready(proxy.url);
  const log = await openRunLog(database, 'r', { retryForMs: 0 });
  await proxy[Symbol.asyncDispose]();
  const refused = { code: 'EngineUnreachable', message: expect.stringContaining(`no PostgreSQL at ${database.shown}`) };
  await expect(log.append([node(0, 'x')])).rejects.toMatchObject(refused);
  await expect(log.append([node(1, 'x')])).rejects.toMatchObject(refused);
  await expect(log.append([node(2, 'x')])).rejects.not.toThrow(new URL(fresh.url).password);
});

test('a damaged segment is told with run and row, and the others are read', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await using log = await openRunLog(database, 'r');
  for (const line of [0, 1, 2]) await log.append([node(line, `output ${line}`)], row(line));
  const segments = await database.query<{ id: number }>('SELECT id FROM unroll.segment ORDER BY id');
  const id = segments[1]?.id ?? 0;
  await database.query('UPDATE unroll.segment SET bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 4) WHERE id = $1', [
    id,
  ]);
  const told: RunDamage[] = [];
  await using reader = await openRunReader(database, 'r', { onDamage: (damage) => told.push(damage) });
  const message = `row 1 of the run r cannot be read: segment ${id} of the run r is damaged`;
  expect((await allOf(reader.rows())).map(({ line }) => line)).toEqual([0, 2]);
  expect(told.map(({ message: said, row: of }) => [said, of])).toEqual([[message, { line: 1, repeat: 0 }]]);
  await expect(reader.nodes(1)).rejects.toThrow(message);
  await using strict = await openRunReader(database, 'r');
  await expect(allOf(strict.records())).rejects.toThrow(message);
  expect((await allOf(strict.rowEnds())).length).toBe(3);
});

test('a run that is removed while it is written is lost, and that is told', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await using log = await openRunLog(database, 'r');
  await log.append([node(0, 'x')], row(0));
  await log.ensureKept();
  await database.query("DELETE FROM unroll.run WHERE id = 'r'");
  await expect(log.ensureKept()).rejects.toThrow('it was removed while the run wrote it');
});
