import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, zstdCompressSync } from 'node:zlib';
import { defaultBulkSettings, type ProjectFailure, projectOn } from '@unroll/project';
import { expect, test } from 'vitest';
import { attachRun } from '../coordinator/attach-run.ts';
import { detachOnEngine, runOnEngine } from '../coordinator/run-on-engine.ts';
import { engineCatalog } from '../operations/engine-catalog.ts';
import { pullToHost } from '../operations/pull-to-host.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';
import { doubleFlow, numbers } from '../testing/double-flow.ts';
import { type EngineWorld, engineWorld } from '../testing/engine-world.ts';
import { startWorker } from '../testing/local-worker.ts';

const never = new AbortController().signal;
const limits = { timeout: 240_000 };

async function submit(world: EngineWorld, name: string): Promise<void> {
  const bulk = { ...defaultBulkSettings(world.host), flow: 'double', data: 'n.jsonl', name };
  await detachOnEngine({ bulk, durableNodes: false }, world.database, world.host);
}

async function doubleWorld(): Promise<EngineWorld> {
  const world = await engineWorld();
  world.write({ ...doubleFlow, 'n.jsonl': numbers(2) });
  return world;
}

const numberOf = (run: string) => `(SELECT number FROM unroll.run WHERE id = '${run}')`;
const packed = (text: string) => `'\\x${zstdCompressSync(text).toString('hex')}'`;
const setting = (settings: string) => (run: string) =>
  `UPDATE unroll.run_work SET settings = '${settings}' WHERE run = ${numberOf(run)}`;
const info = (text: string) => (run: string) => `UPDATE unroll.run SET info = '${text}' WHERE id = '${run}'`;
const chunk = (rows: string) => `UPDATE unroll.chunk SET rows = ${rows} WHERE run = ${numberOf('bad')}`;

/** A few kilobytes that hold a gigabyte. */
const bomb = zstdCompressSync(Buffer.alloc(2 ** 30));

const hostile = [
  { what: 'info that is no JSON', sql: info('garbage'), says: 'what it was' },
  { what: 'info that is nothing', sql: info('null'), says: 'what it was' },
  { what: 'info without nodes', sql: info('{"id": "bad-2"}'), says: 'what it was' },
  {
    what: 'info of another run',
    sql: (run: string) => `UPDATE unroll.run SET info = replace(info, '"${run}"', '"x"') WHERE id = '${run}'`,
    says: 'what it was',
  },
  { what: 'info nested without end', sql: info('['.repeat(100_000)), says: 'what it was' },
  { what: 'settings that are no JSON', sql: setting('garbage'), says: 'what it was begun with' },
  { what: 'settings of nothing', sql: setting('null'), says: 'what it was begun with' },
  {
    what: 'settings of other kinds',
    sql: setting('{"concurrency": -5, "repeat": 1e9, "overrides": 7}'),
    says: 'what it was begun with',
  },
] as const;

test('rows of a run that nobody of ours wrote end no worker: the others run', limits, async () => {
  await using world = await doubleWorld();
  const names = hostile.map((_, at) => `bad-${at}`);
  for (const [at, { sql }] of hostile.entries()) {
    const name = `bad-${at}`;
    await submit(world, name);
    await world.database.query(sql(name));
  }
  await using worker = startWorker(world, { name: 'w' });
  for (const [at, { says }] of hostile.entries())
    await worker.said(`run bad-${at} is damaged in the database: ${says}`);
  await submit(world, 'good');
  await worker.said('works on run good');
  const engine = { isFirst: true, catalog: async () => engineCatalog(world.database) };
  const { runs } = projectOn({ ...world.host, engine });
  const listed = await Promise.all(names.map(async (name) => (await runs.summary(name)).status));
  const told = hostile.map(({ what, says }, at) => [
    what,
    worker.lines.filter((line) => line.includes(`bad-${at}`)).length,
    listed[at] === 'Unreadable' || says.includes('begun'),
  ]);
  expect(told).toEqual(hostile.map(({ what }) => [what, 1, true]));
});

test.for([
  { what: 'that is not compressed', rows: "'\\x001122'" },
  { what: 'that holds no rows', rows: packed('{"a": 1}') },
  { what: 'with rows of other kinds', rows: packed('[null, {"line": -1, "values": 7}]') },
  { what: 'nested without end', rows: packed('['.repeat(100_000)) },
  { what: 'that holds a gigabyte', rows: `'\\x${bomb.toString('hex')}'` },
])('a chunk $what stops its run, which says so', limits, async ({ rows }) => {
  await using world = await doubleWorld();
  await submit(world, 'bad');
  await world.database.query(chunk(rows));
  await using _worker = startWorker(world);
  const state = async () => (await world.database.query('SELECT state FROM unroll.run_work'))[0]?.['state'];
  await expect.poll(state, { timeout: 120_000 }).toBe('stopped');
  const notes = await world.database.query<{ message: string }>('SELECT message FROM unroll.work_note');
  expect(notes.map(({ message }) => message)[0]).toBe(
    'run bad is damaged in the database: chunk 0 of its rows cannot be read: the run is stopped',
  );
});

type Manifest = { flow: unknown; files: { path: unknown; digest: string; size: number }[] };

test.for([
  {
    what: 'a file that leads out',
    change: (one: Manifest) => void Object.assign(one.files[0] ?? {}, { path: '../../../escaped.txt' }),
    says: 'leads out of it',
  },
  {
    what: 'a flow that leads out',
    change: (one: Manifest) => void Object.assign(one, { flow: '../../x/flow.dag.yaml' }),
    says: 'leads out of it',
  },
  {
    what: 'no files',
    change: (one: Manifest) => void Object.assign(one, { files: null }),
    says: 'what it holds cannot be read',
  },
  {
    what: 'a file of another content',
    change: (one: Manifest) => void Object.assign(one.files[0] ?? {}, { size: 1 }),
    says: 'is not what was sent',
  },
])('a bundle with $what', limits, async ({ change, says }) => {
  await using world = await doubleWorld();
  await submit(world, 'bad');
  const { database } = world;
  const [found] = await database.query<{ manifest: Manifest }>('SELECT manifest FROM unroll.bundle');
  const manifest = structuredClone(found?.manifest) as Manifest;
  change(manifest);
  const files = manifest.files?.map(({ path, digest, size }) => ({ path, digest, size }));
  const text = JSON.stringify({ flow: manifest.flow, files });
  const id = createHash('sha256').update(text).digest('hex');
  await database.query('INSERT INTO unroll.bundle (id, manifest) VALUES ($1, $2)', [id, JSON.stringify(manifest)]);
  await database.query('UPDATE unroll.run_work SET bundle = $1', [id]);
  await using worker = startWorker(world);
  await worker.said(says);
  expect(existsSync(join(world.folder, 'escaped.txt'))).toBe(false);
});

test('a run whose name leads out of the folder of runs is not pulled', limits, async () => {
  await using world = await doubleWorld();
  await submit(world, 'r');
  await world.database.query(
    `UPDATE unroll.run SET id = '../../../evil', info = replace(info, '"r"', '"../../../evil"')`,
  );
  await expect(pullToHost('latest', world.database, world.host)).rejects.toThrow('leads out of the folder of runs');
  expect(existsSync(join(world.folder, 'evil.run'))).toBe(false);
});

test('segments that are no zstd, or hold more than they say, are damage and nothing else', limits, async () => {
  await using world = await doubleWorld();
  await using _worker = startWorker(world);
  const bulk = { ...defaultBulkSettings(world.host), flow: 'double', data: 'n.jsonl', name: 'r' };
  await runOnEngine({ bulk, durableNodes: false }, world.database, world.host, never);
  for (const bytes of [Buffer.from('no zstd'), bomb]) {
    await world.database.query('UPDATE unroll.segment SET bytes = $1, checksum = $2', [bytes, crc32(bytes)]);
    await using reader = await openRunReader(world.database, 'r');
    await expect(reader.row(0)).rejects.toThrow(/segment \d+ of the run r is damaged/);
    const failed = await attachRun('r', world.database, world.host, never).catch((error: ProjectFailure) => error);
    expect(String(failed)).toMatch(/is damaged|rows/);
  }
});
