import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { runInfo } from '../testing/run-info.ts';
import { allOf } from './batches.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { RunFileLostError } from './run-file-error.ts';
import { RunFileWriter } from './run-file-writer.ts';
import { openForWriting } from './sqlite-driver.ts';
import { continueSqliteRunLog, createSqliteRunLog, openSqliteRunReader } from './sqlite-run-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `${files}.run`);
};

const info = runInfo({
  nodes: [{ name: 'a', kind: 'python' }],
});
const nodeRun = (line: number, output: string, node = 'a'): NodeRun => ({
  line,
  node,
  kind: 'python',
  status: 'Completed',
  inputs: { n: line },
  output,
});
const rowRun = (line: number): RowRun => ({
  line,
  status: 'Completed',
  inputs: { n: line },
  outputs: { o: line },
  startedAt: 1,
  durationMs: 2,
});

test('a file is read while it is written, and holds what was acknowledged', async () => {
  const path = newFile();
  await using store = createSqliteRunLog(path, info);
  await store.append([nodeRun(0, 'first')]);
  await using reader = openSqliteRunReader(path);
  expect(await reader.nodes(0)).toEqual([nodeRun(0, 'first')]);
  await store.append([nodeRun(0, 'x'.repeat(200_000), 'b')], rowRun(0));
  await store.append([nodeRun(1, 'y'.repeat(100_000))]);
  expect((await reader.nodes(0)).map(({ node }) => node)).toEqual(['a', 'b']);
  expect(await reader.row(0)).toEqual(rowRun(0));
  expect(await reader.nodes(1)).toEqual([nodeRun(1, 'y'.repeat(100_000))]);
});

test('commits that are apart: what is appended between them is read here at once, elsewhere after the next, and closing keeps it', async () => {
  const path = newFile();
  const elsewhere = async (): Promise<number> => {
    await using reader = openSqliteRunReader(path);
    return (await reader.rowCounts()).Completed;
  };
  {
    await using log = createSqliteRunLog(path, info, { commitEveryMs: 3_600_000 });
    await log.append([nodeRun(0, 'first')], rowRun(0));
    void log.append([nodeRun(1, 'second')], rowRun(1));
    await new Promise(setImmediate);
    expect(await elsewhere()).toBe(1);
    expect((await log.rowCounts()).Completed).toBe(2);
    expect(await elsewhere()).toBe(2);
    void log.append([nodeRun(2, 'third')], rowRun(2));
  }
  expect(await elsewhere()).toBe(3);
});

test('a file that can grow no more: what was acknowledged is kept, whatever comes later is refused with one reason', async () => {
  const path = newFile();
  createSqliteRunLog(path, info)[Symbol.asyncDispose]();
  const database = openForWriting(path, {});
  database.exec('PRAGMA max_page_count = 40');
  const writer = new RunFileWriter(path, database, 0, {});
  const kept: number[] = [];
  const refused = 'the disk is full';
  const write = async (line: number): Promise<void> => {
    // Random text does not compress, so that the file fills up.
    const noise = randomBytes(20_000).toString('base64');
    await writer.append([nodeRun(line, noise)], rowRun(line));
    kept.push(line);
  };
  await expect(
    (async () => {
      for (let line = 0; line < 1000; line += 1) await write(line);
    })(),
  ).rejects.toMatchObject({ reason: refused });
  expect(kept.length).toBeGreaterThan(2);
  await expect(write(5000)).rejects.toMatchObject({ reason: refused });
  expect(() => writer.ensureKept()).toThrow(refused);
  expect(() => writer.appendMetrics({ mean: 1 })).toThrow(refused);
  writer.close();
  database.close();
  await using reader = openSqliteRunReader(path);
  expect((await allOf(reader.rows())).map(({ line }) => line)).toEqual(kept);
  for (const line of kept) expect(await reader.nodes(line)).toHaveLength(1);
});

test('a file that was shut is one file, and can be read where nothing may be written', async () => {
  const path = join(folder, 'shut', 'r.run');
  mkdirSync(join(folder, 'shut'));
  {
    await using store = createSqliteRunLog(path, info);
    await store.append([nodeRun(0, 'kept')], rowRun(0));
  }
  expect([existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([false, false]);
  chmodSync(path, 0o444);
  chmodSync(join(folder, 'shut'), 0o555);
  await using reader = openSqliteRunReader(path);
  expect(await reader.nodes(0)).toEqual([nodeRun(0, 'kept')]);
  chmodSync(join(folder, 'shut'), 0o755);
});

test('all values of a file that was shut are compressed', async () => {
  const path = newFile();
  {
    await using store = createSqliteRunLog(path, info);
    for (let line = 0; line < 50; line += 1)
      await store.append([nodeRun(line, 'the same '.repeat(2000))], rowRun(line));
  }
  expect(statSync(path).size).toBeLessThan(400_000);
  {
    await using store = continueSqliteRunLog(path);
    await store.append([nodeRun(50, 'later')]);
  }
  using database = new DatabaseSync(path, { readOnly: true });
  expect(database.prepare('SELECT count(*) AS n FROM journal').get()).toEqual({ n: 0 });
  expect(database.prepare('SELECT count(*) AS n FROM segments WHERE bytes IS NULL').get()).toEqual({ n: 0 });
});

test.for([
  ['removed', (path: string) => rmSync(path)],
  [
    'replaced by another file',
    (path: string) => {
      rmSync(path);
      writeFileSync(path, 'another');
    },
  ],
] as const)('a record that was %s while it was written is lost, and that is told', async ([what, lose]) => {
  const path = newFile();
  await using store = createSqliteRunLog(path, info);
  await store.append([nodeRun(0, 'first')]);
  await store.ensureKept();
  lose(path);
  const lost = new RunFileLostError(
    `the run record ${path} was ${what} while the run wrote it: what was recorded is lost`,
    `it was ${what} while the run wrote it`,
  );
  await expect((async () => store.ensureKept())()).rejects.toEqual(lost);
  await expect((async () => store.append([nodeRun(1, 'second')]))()).rejects.toEqual(lost);
});

test('what the code of nodes read is kept once a node, also where the record goes on', async () => {
  const path = newFile();
  const read = (line: number, reads: NodeRun['reads'], node = 'a'): NodeRun => ({
    ...nodeRun(line, 'x', node),
    ...(reads === undefined ? {} : { reads }),
  });
  const kept = async (): Promise<unknown> => {
    await using reader = openSqliteRunReader(path);
    return reader.info.nodeReads;
  };
  {
    await using store = createSqliteRunLog(path, info);
    await store.append([read(0, undefined)]);
    expect(await kept()).toBeUndefined();
    await store.append([read(1, { 'variable TONE': 'kind' }), read(1, { 'reads faq': '1' }, 'b')], rowRun(1));
    expect(await kept()).toEqual({ a: { 'variable TONE': 'kind' }, b: { 'reads faq': '1' } });
  }
  {
    await using store = continueSqliteRunLog(path);
    await store.append([read(2, { 'reads faq': '2' }), read(2, { 'reads faq': '1' }, 'b')], rowRun(2));
  }
  expect(await kept()).toEqual({ a: { 'variable TONE': 'kind', 'reads faq': '2' }, b: { 'reads faq': '1' } });
  {
    using database = new DatabaseSync(path);
    database.exec("UPDATE meta SET value = replace(value, 'kind', 'hard') WHERE key = 'reads a'");
  }
  expect(() => openSqliteRunReader(path)).toThrow(`the run record ${path} is damaged`);
});

test('a reader changes nothing in the file', async () => {
  const path = newFile();
  {
    await using store = createSqliteRunLog(path, info);
    await store.append([nodeRun(0, 'kept')], rowRun(0));
  }
  const before = statSync(path);
  {
    await using reader = openSqliteRunReader(path);
    expect(await allOf(reader.rows())).toHaveLength(1);
  }
  expect([statSync(path).mtimeMs, statSync(path).size]).toEqual([before.mtimeMs, before.size]);
});

const writeAndHang = `
  import { createSqliteRunLog } from ${JSON.stringify(new URL('./sqlite-run-log.ts', import.meta.url).href)};
  const store = createSqliteRunLog(process.argv[1], ${JSON.stringify(info)});
  for (let line = 0; line < 2000; line += 1) {
    const output = 'output ' + line + ' '.repeat(100 + line % 400);
    await store.append([{ line, node: 'a', kind: 'python', status: 'Completed', inputs: { n: line }, output }]);
    process.stdout.write(line + '\\n');
  }
  setInterval(() => {}, 1000);
`;

test('of a process that was killed nothing acknowledged is lost, and the record goes on', async () => {
  const path = newFile();
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', writeAndHang, path]);
  let told = '';
  child.stdout.on('data', (text) => {
    told += text;
    if (told.split('\n').length > 900) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const last = Number(told.trimEnd().split('\n').at(-1));
  expect(last).toBeGreaterThan(800);
  const lines = Array.from({ length: last + 1 }, (_, line) => line);
  const outputOf = (line: number): string => `output ${line}${' '.repeat(100 + (line % 400))}`;
  {
    await using reader = openSqliteRunReader(path);
    for (const line of lines) expect((await reader.nodes(line))[0]?.output).toBe(outputOf(line));
  }
  {
    await using store = continueSqliteRunLog(path);
    await store.append([nodeRun(0, 'again'), nodeRun(5_000, 'new')]);
  }
  await using store = openSqliteRunReader(path);
  for (const line of lines) expect((await store.nodes(line))[0]?.output).toBe(outputOf(line));
  expect(await store.nodes(5_000)).toEqual([nodeRun(5_000, 'new')]);
  expect(await store.nextLine()).toBe(5_001);
});

test('what a process leaves that was killed while it made its record says so', () => {
  const path = newFile();
  openForWriting(path, {}).close();
  const message = 'the run was ended before its record began: nothing of it ran, its record can be removed';
  expect(() => openSqliteRunReader(path)).toThrow(message);
  expect(() => continueSqliteRunLog(path)).toThrow(message);
});

test('a newer format is refused', async () => {
  const path = newFile();
  await createSqliteRunLog(path, info)[Symbol.asyncDispose]();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const message = 'has format 99, this release reads format 1: a newer release wrote it, or it is damaged';
  expect(() => openSqliteRunReader(path)).toThrow(message);
  expect(() => continueSqliteRunLog(path)).toThrow(message);
});

test('values that nodes hand on are stored once', async () => {
  const [alone, handedOn] = [newFile(), newFile()];
  const random = (line: number): string =>
    Array.from({ length: 400 }, (_, at) =>
      Math.sin(line * 997 + at)
        .toString(36)
        .slice(3),
    ).join('');
  for (const [path, nodes] of [
    [alone, ['a']],
    [handedOn, ['a', 'b', 'c', 'd']],
  ] as const) {
    await using store = createSqliteRunLog(path, info);
    for (let line = 0; line < 200; line += 1) {
      const state = [{ role: 'user', content: random(line) }];
      for (const node of nodes) {
        void store.append([{ line, node, kind: 'python', status: 'Completed', inputs: { state }, output: state }]);
      }
      await store.append([], { ...rowRun(line), outputs: { state } });
    }
  }
  expect(statSync(handedOn).size).toBeLessThan(statSync(alone).size * 1.1);
});

test('a row can be read when many were read after it', async () => {
  const path = newFile();
  const lines = Array.from({ length: 50 }, (_, line) => line);
  const text = (line: number): string => `${line} ${'長い文'.repeat(15_000)} ${line}`;
  await using store = createSqliteRunLog(path, info);
  for (const line of lines) await store.append([nodeRun(line, text(line))], rowRun(line));
  await using reader = openSqliteRunReader(path);
  const rows = await allOf(reader.readRows({ nodes: ['a'] }));
  for (const row of rows)
    expect([row.records.get('a')?.output, row.outputs]).toEqual([text(row.line), { o: row.line }]);
});

test('of rows that hold megabytes few are read at a time, of others many', async () => {
  const sizes = async (output: string): Promise<readonly number[]> => {
    const path = newFile();
    await using store = createSqliteRunLog(path, info);
    for (const line of Array(12).keys()) await store.append([nodeRun(line, output)], rowRun(line));
    await using reader = openSqliteRunReader(path);
    const batches = await Array.fromAsync(reader.readRows({ nodes: ['a'] }));
    expect(batches.flat().map(({ records }) => records.get('a')?.output)).toEqual(Array(12).fill(output));
    return batches.map((batch) => batch.length);
  };
  expect(await sizes('short')).toEqual([12]);
  expect(await sizes('long'.repeat(500_000))).toEqual([3, 3, 3, 3]);
});
