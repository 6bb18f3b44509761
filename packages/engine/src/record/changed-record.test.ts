import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import { allOf } from './batches.ts';
import { checkRunFile } from './check-run-file.ts';
import { endChecksum } from './checksums.ts';
import type { NodeRun } from './node-run.ts';
import { RunDamageError } from './run-file-error.ts';
import type { Batches } from './run-reader.ts';
import { continueSqliteRunLog, createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'changed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const sound = join(folder, 'sound.run');

const info = runInfo({
  nodes: [
    { name: 'ask', kind: 'llm' },
    { name: 'tell', kind: 'python' },
  ],
});

const nodesOf = (line: number, repeat: number): readonly NodeRun[] => {
  const at = { line, ...(repeat === 0 ? {} : { repeat }), status: 'Completed' as const };
  const usage = { promptTokens: 3, completionTokens: 4, totalTokens: 7 };
  return [
    { ...at, node: 'ask', kind: 'llm', inputs: { n: line }, output: line, startedAt: 10, durationMs: 2, usage },
    { ...at, node: 'tell', kind: 'python', output: `${line}`, startedAt: 12, durationMs: 1 },
  ];
};

/** Lines 0, 1 and 2, of line 1 two repetitions. */
beforeAll(async () => {
  await using store = createSqliteRunLog(sound, info);
  for (const [line, repeat] of [
    [0, 0],
    [1, 0],
    [1, 1],
    [2, 0],
  ] as const) {
    const ended = {
      status: 'Completed',
      inputs: { n: line },
      outputs: { o: line },
      startedAt: 9,
      durationMs: 5,
    } as const;
    await store.append(nodesOf(line, repeat), { line, ...(repeat === 0 ? {} : { repeat }), ...ended });
  }
  await store.appendMetrics({ mean: 1 });
});

let copies = 0;
/** A copy of the record in which something was changed by other means than ours. */
function changed(sql: string): string {
  copies += 1;
  const path = join(folder, `${copies}.run`);
  copyFileSync(sound, path);
  using database = new DatabaseSync(path);
  database.exec(sql);
  return path;
}

const placeOf = ({ line, repeat = 0 }: { readonly line: number; readonly repeat?: number }): string =>
  repeat === 0 ? `${line}` : `${line}.${repeat}`;
const placesOf = async (rows: Batches<Parameters<typeof placeOf>[0]>): Promise<string> =>
  [...new Set((await allOf(rows)).map(placeOf))].join(' ');

/** Rows that each way of reading many gives, where it is not all of them; what is told of the rest, each once. */
async function readMany(path: string): Promise<{ readonly given: object; readonly told: readonly string[] }> {
  const told = new Set<string>();
  await using store = openSqliteRunReader(path, {
    onDamage: ({ message }) => told.add(message.replaceAll(path, 'FILE')),
  });
  const records = await allOf(store.records());
  const given = {
    rows: await placesOf(store.rows()),
    records: [...new Set(records.map(({ row }) => placeOf(row)))].join(' '),
    ends: await placesOf(store.rowEnds()),
    asked: await placesOf(store.readRows({ nodes: ['ask'] })),
    digests: await placesOf(store.digests()),
  };
  return { given: Object.fromEntries(Object.entries(given).filter(([, rows]) => rows !== all)), told: [...told] };
}

const all = '0 1 1.1 2';
const but = { one: '0 1.1 2', repeated: '0 1 2' };
const one = 'line = 1 AND repeat = 0';
const repeated = 'line = 1 AND repeat = 1';
const notAs = (what: string): string => `the run record FILE is damaged: not all ${what} are as they were written`;
const missing = (told: string): string => `the run record FILE is damaged: of ${told} are found`;
const cannot = (row: string, why = 'a record of it is damaged'): string =>
  `row ${row} of the run record FILE cannot be read: ${why}`;
const names = 'the run record FILE is damaged: its list of nodes';
const everyRow = ['0', '1', '1, repetition 1,', '2'];

interface Change {
  readonly what: string;
  readonly sql: string;
  /** Rows that are still given, by the way of reading, where some are not. */
  readonly given: object;
  readonly told: readonly string[];
}

const changes: readonly Change[] = [
  {
    what: 'a record of a node is gone',
    sql: `DELETE FROM node_ends WHERE ${one} AND node = 1`,
    given: { records: but.one, ends: but.one, asked: but.one },
    told: [missing('8 records of nodes 7'), cannot('1')],
  },
  {
    what: 'a record that was not asked for is gone',
    sql: `DELETE FROM node_ends WHERE ${one} AND node = 2`,
    given: { records: but.one, ends: but.one },
    told: [missing('8 records of nodes 7'), cannot('1')],
  },
  {
    what: 'a record of a node with started_at = 7',
    sql: `UPDATE node_ends SET started_at = 7 WHERE ${repeated} AND node = 1`,
    given: { records: but.repeated, ends: but.repeated, asked: but.repeated, digests: but.repeated },
    told: [cannot('1, repetition 1,')],
  },
  ...['status = 2', 'duration_ms = 7', 'prompt_tokens = 7', 'completion_tokens = NULL'].map(
    (set): Change => ({
      what: `a record of a node with ${set}`,
      sql: `UPDATE node_ends SET ${set} WHERE ${repeated} AND node = 1`,
      given: { records: but.repeated, ends: but.repeated, asked: but.repeated, digests: but.repeated },
      told: [notAs('records of nodes'), cannot('1, repetition 1,')],
    }),
  ),
  {
    what: 'a record of a node in another row',
    sql: `UPDATE node_ends SET line = 7 WHERE ${repeated} AND node = 1`,
    given: { records: but.repeated, ends: but.repeated, asked: but.repeated },
    told: [notAs('records of nodes'), cannot('1, repetition 1,'), cannot('7, repetition 1,')],
  },
  {
    what: 'the end of a row is gone',
    sql: `DELETE FROM row_ends WHERE ${one}`,
    given: { rows: but.one, records: but.one, ends: but.one, asked: but.one },
    told: [missing('4 rows that ended 3')],
  },
  ...['status = 2', 'unfinished = 1'].map(
    (set): Change => ({
      what: `the end of a row with ${set}`,
      sql: `UPDATE row_ends SET ${set} WHERE ${one}`,
      given: { rows: but.one, records: but.one, ends: but.one, asked: but.one },
      told: [notAs('rows that ended'), cannot('1')],
    }),
  ),
  ...['started_at = 7', 'duration_ms = 7', 'size = 1'].map(
    (set): Change => ({
      what: `the end of a row with ${set}`,
      sql: `UPDATE row_ends SET ${set} WHERE ${one}`,
      given: { rows: but.one, records: but.one, ends: but.one, asked: but.one },
      told: [cannot('1')],
    }),
  ),
  {
    what: 'the end of a row under another line',
    sql: `UPDATE row_ends SET line = 5 WHERE ${one}`,
    given: { rows: but.one, records: but.one, ends: but.one, asked: but.one },
    told: [notAs('rows that ended'), cannot('5')],
  },
  {
    what: 'the end of a row twice',
    sql: `INSERT INTO row_ends SELECT 9, repeat, status, started_at, duration_ms, unfinished, place, size, checksum
      FROM row_ends WHERE line = 2`,
    given: {},
    told: [missing('4 rows that ended 5'), cannot('9')],
  },
  {
    what: 'digests of a row are gone',
    sql: 'DELETE FROM row_digests WHERE row = 1048576',
    given: { digests: but.one },
    told: [missing('4 digests of rows 3'), cannot('1')],
  },
  {
    what: 'digests of another row',
    sql: 'UPDATE row_digests SET digests = (SELECT digests FROM row_digests WHERE row = 0) WHERE row = 1048576',
    given: { digests: but.one },
    told: [cannot('1')],
  },
  {
    what: 'digests under another line',
    sql: 'UPDATE row_digests SET row = 77 WHERE row = 1048576',
    given: { digests: but.one },
    told: [notAs('digests of rows'), cannot('1')],
  },
  {
    what: 'a node is called otherwise',
    sql: "UPDATE nodes SET name = 'other' WHERE id = 1",
    given: { records: '', ends: '', asked: '', digests: '' },
    told: [...everyRow.map((row) => cannot(row, names)), names],
  },
  {
    what: 'the name of a node is gone',
    sql: 'DELETE FROM nodes WHERE id = 1',
    given: { records: '', ends: '', asked: '', digests: '' },
    told: [missing('2 names of nodes 1'), ...everyRow.map((row) => cannot(row, names)), names],
  },
  {
    what: 'a segment of values is other bytes',
    sql: "UPDATE segments SET bytes = x'00'",
    given: { rows: '', records: '', asked: '' },
    told: everyRow.map((row) => cannot(row, 'segment 1 of the run record FILE is damaged')),
  },
  {
    what: 'fewer rows than were counted',
    sql: "UPDATE totals SET records = records + 1 WHERE name = 'row_ends'",
    given: {},
    told: [missing('5 rows that ended 4')],
  },
];

test.for(changes)('$what: rows that are as they were written are given, the rest is told', async (change) => {
  const path = changed(change.sql);
  const read = await readMany(path);
  expect({ ...read, told: read.told.toSorted() }).toEqual({ given: change.given, told: change.told.toSorted() });
  const checked = (await checkRunFile(path)).map(({ message }) => message.replaceAll(path, 'FILE'));
  for (const message of change.told) expect(checked).toContain(message);
});

/** Where a row alone is not as it was, others can go on. */
const isOfRow = (message: string): boolean => message.startsWith('row ') && !message.includes('segment');

test.for(changes.filter(({ told }) => !told.every(isOfRow)))('$what: nothing is added to such a record', (change) => {
  expect(() => continueSqliteRunLog(changed(change.sql))).toThrow(RunDamageError);
});

test.for([
  ['metrics', "UPDATE metrics SET value = '2'", 'the metrics of the run record FILE are damaged'],
  ['metrics', 'DELETE FROM metrics', missing('1 metrics 0')],
  ['nodeCounts', 'DELETE FROM node_ends WHERE line = 2', missing('8 records of nodes 6')],
  ['tokens', 'DELETE FROM node_ends WHERE line = 2', missing('8 records of nodes 6')],
  ['rowCounts', 'DELETE FROM row_ends WHERE line = 2', missing('4 rows that ended 3')],
  ['unfinishedCount', 'DELETE FROM row_ends WHERE line = 2', missing('4 rows that ended 3')],
  ['nextLine', 'DELETE FROM node_ends WHERE line = 2', missing('8 records of nodes 6')],
] as const)('%s after %s: never a number that is not what was written', async ([what, sql, message]) => {
  const path = changed(sql);
  await using store = openSqliteRunReader(path);
  await expect((async () => store[what]())()).rejects.toThrow(message.replace('FILE', path));
});

test('a row that is asked for by its line is never left out: it is thrown', async () => {
  const path = changed(
    `UPDATE row_ends SET status = 2 WHERE ${one}; UPDATE node_ends SET status = 2 WHERE ${repeated}`,
  );
  await using store = openSqliteRunReader(path, { onDamage: () => {} });
  const row = { line: 1, repeat: 0 };
  await expect((async () => await store.row(1))()).rejects.toMatchObject({ row });
  await expect((async () => await store.nodes(1, 1))()).rejects.toMatchObject({ row: { line: 1, repeat: 1 } });
  expect([(await store.row(1, 1))?.outputs, (await store.nodes(1)).length]).toEqual([{ o: 1 }, 2]);
});

test.for<[sql: string, message: string]>([
  ["UPDATE meta SET value = replace(value, 'ask', 'bsk')", notAsWas('what the run was cannot be read')],
  ['DELETE FROM meta', notAsWas('of 1 entries on what the run was 0 are found')],
  ['CREATE TABLE more (x)', notAsWas('its tables are not as they were made')],
  ['DROP VIEW row_records', notAsWas('its tables are not as they were made')],
  [
    'PRAGMA application_id = 5',
    'FILE was written by a development version of Unroll and is no longer read, or is damaged',
  ],
  ['PRAGMA application_id = 5; DROP TABLE meta', 'FILE is no run record'],
  ['PRAGMA application_id = 5; DROP TABLE metrics', 'FILE is no run record'],
])('after %s a record is not opened, and says why', async ([sql, message]) => {
  const path = changed(sql);
  for (const open of [openSqliteRunReader, continueSqliteRunLog]) {
    expect(() => open(path)).toThrow(message.replace('FILE', path));
  }
  expect((await checkRunFile(path)).map((damage) => damage.message)).toContain(message.replace('FILE', path));
});

test('a record that is as it was written has no damage, whatever reads it', async () => {
  const path = changed('');
  expect(await readMany(path)).toEqual({ given: {}, told: [] });
  expect(await checkRunFile(path)).toEqual([]);
});

function notAsWas(what: string): string {
  return `the run record FILE is damaged: ${what}`;
}

/** As a record that was copied from another file has it: whole by itself, but what it says of the place is true of that file. */
function displaced(table: 'row_ends' | 'node_ends', where: string): string {
  const path = changed('');
  using database = new DatabaseSync(path);
  const { checksum: _, ...columns } = database.prepare(`SELECT * FROM ${table} WHERE ${where}`).get() as Record<
    string,
    number
  >;
  const moved = { ...columns, size: (columns['size'] ?? 0) - 3 };
  const set = database.prepare(`UPDATE ${table} SET size = ?, checksum = ? WHERE ${where}`);
  set.run(moved.size, endChecksum(table, Object.values(moved)));
  return path;
}

test.each([
  ['row_ends', one, ['rows', 'records', 'asked']],
  ['node_ends', `${one} AND node = 1`, ['records', 'asked']],
] as const)('a record of another file in %s is damage, not a failure', async (table, where, readers) => {
  const { given, told } = await readMany(displaced(table, where));
  expect(given).toMatchObject(Object.fromEntries(readers.map((reader) => [reader, but.one])));
  expect(told).toContain(cannot('1'));
});
