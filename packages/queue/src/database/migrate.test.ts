import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openJobs } from '../jobs/index.ts';
import { freshDatabase } from '../testing/fresh-database.ts';
import { freshEngine } from '../testing/fresh-engine.ts';
import { inWords } from './in-words.ts';
import { migrate, requireServer, schemaState } from './migrate.ts';
import { migrations } from './migrations/migrations.ts';
import { openDatabase } from './open-database.ts';

/** Of every migration that was published, its digest: a line is added here, and none is changed. */
const published = [
  '38d105766695e334',
  'f2216b050144b071',
  'd83edb03d9b1b64c',
  'e3c7cbf76a9db4fc',
  'ba42453f58e87f2f',
  '0ff8af73e4bdecfe',
  'dbfdfd6e12e98165',
  '3590676723ae3b19',
];

test('a migration that was published is never changed', () => {
  const digests = migrations.map(({ sql }) => createHash('sha256').update(sql).digest('hex').slice(0, 16));
  expect(digests).toEqual(published);
});

test('the schema is made once, also where several make it at the same time', async () => {
  await using fresh = await freshDatabase();
  await using database = await openDatabase(fresh.url);
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database)));
  expect(applied.flat()).toEqual(migrations.map(({ name }) => name));
  expect((await schemaState(database)).migration).toBe(migrations.length);
  expect(await migrate(database)).toEqual([]);
});

test('two schemas of one database know nothing of each other', async () => {
  await using fresh = await freshDatabase();
  await using one = await openDatabase(fresh.url);
  await using other = await openDatabase(`${fresh.url}?schema=team_b`);
  await migrate(one);
  expect((await schemaState(other)).migration).toBe(0);
  await migrate(other);
  const tables = 'SELECT table_schema FROM information_schema.tables WHERE table_name = $1 ORDER BY 1';
  expect(await one.query(tables, ['run'])).toEqual([{ table_schema: 'team_b' }, { table_schema: 'unroll' }]);
});

test('a schema of a newer release is refused', async () => {
  await using fresh = await freshDatabase();
  await using database = await openDatabase(fresh.url);
  await migrate(database);
  await database.query("INSERT INTO unroll.migration (number, name) VALUES (99, 'of tomorrow')");
  await expect(migrate(database)).rejects.toMatchObject({
    code: 'EngineNewer',
    message: `the schema unroll at ${database.shown} is of a newer flow: it has migration 99, this release knows ${migrations.length}`,
  });
});

test('a server that takes no writes is told as one', async () => {
  await using fresh = await freshDatabase();
  await using database = await openDatabase(`${fresh.url}?options=-c%20default_transaction_read_only%3Don`);
  await expect(migrate(inWords(database))).rejects.toMatchObject({
    message: `PostgreSQL at ${database.shown} takes no writes: cannot execute CREATE SCHEMA in a read-only transaction`,
    help: expect.stringContaining('primary server'),
  });
});

test.each(['LATIN1', 'EUC_JP', 'SQL_ASCII'])('a database of the encoding %s is refused', async (encoding) => {
  await using fresh = await freshDatabase();
  await using owner = await openDatabase(fresh.url);
  const name = `${new URL(fresh.url).pathname.slice(1)}_other`;
  await owner.query(`CREATE DATABASE ${name} ENCODING '${encoding}' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`);
  {
    await using other = await openDatabase(`${fresh.url}_other`);
    await expect(migrate(other)).rejects.toMatchObject({
      code: 'EngineEncodingUnfit',
      message: `the database at ${other.shown} has the encoding ${encoding}, and UTF8 is needed`,
    });
  }
  await owner.query(`DROP DATABASE ${name}`);
});

test.each([
  [
    'a table',
    'DROP TABLE unroll.metric CASCADE',
    'SELECT 1 FROM unroll.metric',
    'relation "unroll.metric" does not exist',
  ],
  [
    'a column',
    'ALTER TABLE unroll.run DROP COLUMN info',
    'SELECT info FROM unroll.run',
    'column "info" does not exist',
  ],
  [
    'a type',
    'ALTER TABLE unroll.run_work ALTER COLUMN tokens TYPE text',
    'UPDATE unroll.run_work SET tokens = tokens + 1',
    'operator does not exist: text + integer',
  ],
  [
    'a key',
    "ALTER TABLE unroll.run ADD CHECK (id <> 'x')",
    "INSERT INTO unroll.run (id, info, record_format) VALUES ('x', '', 1)",
    'new row for relation "run" violates check constraint "run_id_check"',
  ],
  [
    'a relation',
    'CREATE TABLE unroll.segment_1 ()',
    'CREATE TABLE unroll.segment_1 (run bigint)',
    'relation "segment_1" already exists',
  ],
  ['a number', 'SELECT 1', "SELECT 2 ^ 62 * 2::bigint, '9223372036854775807'::bigint + 1", 'bigint out of range'],
])('%s that somebody removed or changed is told as what it is', async (_, damage, statement, said) => {
  await using fresh = await freshDatabase();
  await using database = await openDatabase(fresh.url);
  await migrate(database);
  await database.query(damage);
  const failure = await database.query(statement).catch((error: unknown) => database.failureOf(error));
  expect(failure).toMatchObject({
    code: 'EngineDamaged',
    message: `the tables of the engine at ${database.shown} are not as flow made them: ${said}`,
  });
});

test('jobs that somebody removed are told as what they are', async () => {
  await using engine = await freshEngine();
  const { database } = engine;
  await database.query('DROP SCHEMA unroll_jobs CASCADE');
  const failure = await openJobs(database, () => undefined).catch((error: unknown) => database.failureOf(error));
  expect(failure).toMatchObject({
    code: 'EngineDamaged',
    message: expect.stringContaining('pg-boss is not installed'),
  });
});

test('who may not make a schema is told what allows it', async () => {
  await using fresh = await freshDatabase();
  await using owner = await openDatabase(fresh.url);
  const base = new URL(fresh.url).pathname.slice(1);
  await owner.query(`CREATE ROLE "${base}_guest" LOGIN PASSWORD 'only looking'`);
  const address = new URL(fresh.url);
  address.username = `${base}_guest`;
  address.password = 'only looking';
  {
    await using guest = await openDatabase(address.href);
    await expect(migrate(guest)).rejects.toMatchObject({
      code: 'EngineRightsMissing',
      message: `${base}_guest may not make the schema unroll at ${guest.shown}`,
      help: `The owner of the database allows it: GRANT CREATE ON DATABASE "${base}" TO "${base}_guest";`,
    });
  }
  await owner.query(`DROP ROLE "${base}_guest"`);
});

test.each([
  ['13.22', 'PostgreSQL 13.22 is too old: 14 or newer is needed'],
  ['9.6.24', 'PostgreSQL 9.6.24 is too old: 14 or newer is needed'],
])('PostgreSQL %s is refused', (version, message) => expect(() => requireServer(version)).toThrow(message));

test.each(['14.0', '18.4', '19devel'])('PostgreSQL %s will do', (version) =>
  expect(() => requireServer(version)).not.toThrow(),
);
