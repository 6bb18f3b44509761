import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import { allOf } from './batches.ts';
import { checkRunFile } from './check-run-file.ts';
import type { NodeRun } from './node-run.ts';
import { RunFileError } from './run-file-error.ts';
import type { RunReader } from './run-reader.ts';
import { continueSqliteRunLog, createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

/**
 * Every column of every table of a record, null, of another type, another value, or cut; every row of a table gone or there twice:
 * whatever reads the file gives what was written, or tells what is damaged.
 */
const folder = mkdtempSync(join(tmpdir(), 'columns-'));
afterAll(() => rmSync(folder, { recursive: true }));
const files = { shut: join(folder, 'shut.run'), killed: join(folder, 'killed.run') } as const;

const info = runInfo({
  nodes: ['ask', 'tell', 'mean'].map((name) => ({ name, kind: 'python', aggregation: name === 'mean' })),
});

const usage = { promptTokens: 3, completionTokens: 4, totalTokens: 7 };
const error = { code: 'E', message: 'no', retryable: false };

function nodesOf(line: number): readonly NodeRun[] {
  const at = { line, kind: 'python', startedAt: 10 + line };
  return [
    { ...at, node: 'ask', status: 'Completed', inputs: { n: line }, output: `answer ${line}`, durationMs: 2, usage },
    line === 2
      ? { ...at, node: 'tell', status: 'Failed', error, durationMs: 1 }
      : { ...at, node: 'tell', status: 'Completed', output: [line], durationMs: 1 },
  ];
}

beforeAll(async () => {
  await using store = createSqliteRunLog(files.shut, info);
  for (let line = 0; line < 4; line += 1) {
    const status = line === 2 ? ('Failed' as const) : ('Completed' as const);
    const ended = { line, status, inputs: { n: line }, outputs: { o: `answer ${line}` } };
    await store.append(nodesOf(line), {
      ...ended,
      startedAt: 9,
      durationMs: 5,
      ...(line === 1 ? { unfinished: ['l'] } : {}),
    });
  }
  await store.append([{ line: 0, node: 'mean', kind: 'python', status: 'Completed', output: 0.5 }]);
  await store.appendMetrics({ mean: 0.5, sum: 2 });
  for (const suffix of ['', '-wal']) copyFileSync(`${files.shut}${suffix}`, `${files.killed}${suffix}`);
});

const readers: Readonly<Record<string, (store: RunReader) => unknown>> = {
  info: (store) => store.info,
  rows: (store) => allOf(store.rows()),
  records: (store) => allOf(store.records()),
  rowEnds: (store) => allOf(store.rowEnds()),
  readRows: async (store) =>
    (await allOf(store.readRows({ nodes: ['ask'], ends: ['tell'] }))).map((row) => ({
      line: row.line,
      status: row.status,
      inputs: row.inputs,
      outputs: row.outputs,
      error: row.error,
      ask: row.records.get('ask')?.output,
      ends: row.nodes.map(({ node, status, durationMs }) => ({ node, status, durationMs })),
    })),
  digests: (store) => allOf(store.digests()),
  nodeCounts: (store) => store.nodeCounts(),
  tokens: (store) => store.tokens(),
  rowCounts: (store) => store.rowCounts(),
  unfinished: (store) => store.unfinishedCount(),
  nextLine: (store) => store.nextLine(),
  metrics: (store) => store.metrics(),
  row: async (store) => [(await store.row(1)) ?? [], await store.nodes(1)].flat(),
};

interface Read {
  readonly given: Readonly<Record<string, unknown>>;
  /** Ways of reading that told of damage, or failed because of it. */
  readonly told: ReadonlySet<string>;
}

async function readEach(path: string): Promise<Read> {
  const given: Record<string, unknown> = {};
  const told = new Set<string>();
  for (const [name, read] of Object.entries(readers)) {
    try {
      await using store = openSqliteRunReader(path, { onDamage: () => told.add(name) });
      given[name] = await read(store);
    } catch (thrown) {
      if (!(thrown instanceof RunFileError)) throw new Error(`${name}: ${(thrown as Error).stack}`);
      told.add(name);
    }
  }
  return { given, told };
}

/** What is wrong with what was read: other rows than were written, or fewer of them and nothing said. */
function problems(sound: Read, read: Read): readonly string[] {
  return Object.keys(readers).flatMap((name) => {
    if (read.told.has(name))
      return isPartOf(read.given[name], sound.given[name]) ? [] : [`${name} gives what was not written`];
    return same(read.given[name], sound.given[name]) ? [] : [`${name} gives something else, and tells nothing`];
  });
}

function isPartOf(read: unknown, sound: unknown): boolean {
  if (read === undefined || !Array.isArray(read) || !Array.isArray(sound)) return true;
  const written = new Set(sound.map((one) => JSON.stringify(one)));
  return read.every((one) => written.has(JSON.stringify(one)) || hasNoRow(one));
}

/** Counts of what can still be counted are no rows. */
const hasNoRow = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && 'records' in one && !('row' in one);

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** No copy of a test has to outlive a crash of the machine. */
const unsynced = 'PRAGMA synchronous = OFF';

interface Relaxed {
  readonly path: string;
  /** SQL that makes its tables what they were. */
  readonly restore: string;
}

/** A copy whose tables take any type and null, as a damaged page does. */
function relaxed(of: keyof typeof files): Relaxed {
  const path = join(folder, `relaxed-${of}.run`);
  for (const suffix of ['', '-wal'])
    if (existsSync(`${files[of]}${suffix}`)) copyFileSync(`${files[of]}${suffix}`, `${path}${suffix}`);
  using database = new DatabaseSync(path, { defensive: false });
  const made = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all();
  const quoted = (text: unknown): string => `'${String(text).replaceAll("'", "''")}'`;
  const cases = made.map(({ name, sql }) => `WHEN ${quoted(name)} THEN ${quoted(sql)}`);
  const setTables = (sql: string): string =>
    `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = ${sql} WHERE type = 'table'`;
  database.exec(
    setTables("replace(replace(replace(sql, ' NOT NULL', ''), ') STRICT, WITHOUT', ') WITHOUT'), ') STRICT', ')')"),
  );
  return { path, restore: setTables(`CASE name ${cases.join(' ')} END`) };
}

const relaxedFiles: Partial<Record<keyof typeof files, Relaxed>> = {};

let copies = 0;
function changed(of: keyof typeof files, sql: string): string {
  copies += 1;
  const path = join(folder, `copy-${copies}.run`);
  relaxedFiles[of] ??= relaxed(of);
  copyFileSync(relaxedFiles[of].path, path);
  using database = new DatabaseSync(path, { defensive: false });
  database.exec(`${unsynced}; ${sql}; ${relaxedFiles[of].restore}`);
  return path;
}

interface Column {
  readonly table: string;
  readonly name: string;
}

function columnsOf(path: string): readonly Column[] {
  using database = new DatabaseSync(path);
  const sql = `SELECT m.name AS "table", c.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'`;
  return database.prepare(sql).all() as never;
}

const tables = ['meta', 'nodes', 'node_ends', 'row_ends', 'row_digests', 'metrics', 'totals', 'segments', 'journal'];
/** All of them take minutes: EVERY_COLUMN=1. */
const isAll = process.env['EVERY_COLUMN'] === '1';
let asked = 0;
/** Of changes side by side one in some, so that each kind of change is tried somewhere. */
const isTried = (): boolean => {
  asked += 1;
  return isAll || asked % 7 === 0;
};

const values = (name: string): Readonly<Record<string, string>> => ({
  null: 'NULL',
  'a text': "'x'",
  'a number': '77',
  'a fraction': '0.5',
  'a blob': "x'00ff'",
  'an empty blob': "x''",
  'cut in half': `CASE WHEN typeof(${name}) = 'integer' THEN ${name} / 2 ELSE substr(${name}, 1, length(${name}) / 2) END`,
  'one more': `CASE WHEN typeof(${name}) IN ('integer', 'real') THEN ${name} + 1 ELSE ${name} || 'x' END`,
});

const keys: Readonly<Record<string, string>> = {
  ...{ meta: 'key', metrics: 'name', totals: 'name', nodes: 'id' },
  ...{ segments: 'id', journal: 'start', row_digests: 'row' },
};

/** One row of a table: the last by its key, or the first. */
const oneRow = (table: string, which: 'max' | 'min'): string => {
  const key = keys[table] ?? 'line';
  return ` WHERE ${key} = (SELECT ${which}(${key}) FROM ${table})`;
};
const places = (table: string): readonly string[] => [oneRow(table, 'max'), ''];

async function checkChange(of: keyof typeof files, sound: Read, sql: string): Promise<readonly string[]> {
  let path: string;
  try {
    path = changed(of, sql);
  } catch {
    // Two rows of one key: SQLite itself refuses it.
    return [];
  }
  const read = await readEach(path);
  const found = [...problems(sound, read)];
  const isDamaged = read.told.size > 0 || found.length > 0;
  if (isDamaged && (await checkRunFile(path)).length === 0) found.push('flow runs check finds it sound');
  try {
    await using _store = continueSqliteRunLog(path);
  } catch (thrown) {
    if (!(thrown instanceof RunFileError)) found.push(`going on: ${(thrown as Error).stack}`);
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  return found.map((one) => `${of}: ${sql}: ${one}`);
}

test.for(['shut', 'killed'] as const)('a record that was %s: whatever is gone is told', async (of) => {
  const sound = await readEach(files[of]);
  expect([...sound.told]).toEqual([]);
  const found: string[] = [];
  for (const table of tables)
    for (const place of [...places(table), oneRow(table, 'min')])
      found.push(...(await checkChange(of, sound, `DELETE FROM ${table}${place}`)));
  expect(found).toEqual([]);
});

test.for([
  ['a fraction in the place of a status', 'UPDATE node_ends SET status = 0.5 WHERE line = 3'],
  ['digests under the number of another row', 'UPDATE row_digests SET row = row / 2'],
  ['the names of nodes are gone', 'DELETE FROM nodes'],
] as const)('%s: it is told', async ([, sql]) => {
  expect(await checkChange('shut', await readEach(files.shut), sql)).toEqual([]);
});

test.for(tables.flatMap((table) => (['shut', 'killed'] as const).map((of) => [of, table] as const)))(
  'a record that was %s: whatever is another thing in a column of %s is told',
  { timeout: 120_000 },
  async ([of, table]) => {
    const sound = await readEach(files[of]);
    const found: string[] = [];
    for (const { name } of columnsOf(files[of]).filter((column) => column.table === table))
      for (const value of Object.values(values(name)))
        for (const place of places(table))
          if (isTried())
            found.push(...(await checkChange(of, sound, `UPDATE ${table} SET ${name} = ${value}${place}`)));
    expect(found).toEqual([]);
  },
);
