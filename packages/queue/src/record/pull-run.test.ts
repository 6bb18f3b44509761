import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allOf, checkRunFile, type NodeRun, openSqliteRunReader, type RowRun } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { afterAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { freshDatabase } from '../testing/fresh-database.ts';
import { openRunLog } from './postgres-run-log.ts';
import { openRunReader } from './postgres-run-reader.ts';
import { pullRun } from './pull-run.ts';
import { createRun, findStoredRun } from './stored-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'pull-run-'));
afterAll(() => rmSync(folder, { recursive: true }));

const info = runInfo({
  nodes: [{ name: 'a', kind: 'python' }],
});
const node = (line: number, output: string): NodeRun => ({
  ...{ line, node: 'a', kind: 'python', status: 'Completed', inputs: { n: line }, output },
});
const row = (line: number): RowRun => ({
  ...{ line, status: 'Completed', inputs: { n: line }, outputs: { o: line }, startedAt: 1, durationMs: 2 },
});

async function ready(url: string): Promise<Database> {
  const database = await openDatabase(url);
  await migrate(database);
  await createRun(database, info);
  return database;
}

test('a run is pulled while it is written, and again when it has gone on: each file is of one moment', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  const log = await openRunLog(database, 'r');
  const path = join(folder, 'live.run');
  for (const rows of [40, 80]) {
    let isDone = false;
    const writing = (async () => {
      for (let line = rows - 40; line < rows; line += 1)
        await log.append([node(line, `${line} `.repeat(line * 9))], row(line));
      isDone = true;
    })();
    let pulls = 0;
    for (; !isDone || pulls === 0; pulls += 1) {
      await pullRun(database, await findStoredRun(database, 'r'), path);
      await using pulled = openSqliteRunReader(path);
      const records = await allOf(pulled.records());
      expect(records).toEqual(
        records.map((_, line) => ({ row: row(line), nodes: [node(line, `${line} `.repeat(line * 9))] })),
      );
    }
    await writing;
  }
  await pullRun(database, await findStoredRun(database, 'r'), path);
  expect(await checkRunFile(path)).toEqual([]);
  await using pulled = openSqliteRunReader(path);
  expect((await pulled.rowCounts()).Completed).toBe(80);
});

test('a pull that is broken off leaves nothing, and what was pulled before as it was', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await using log = await openRunLog(database, 'r');
  await log.append([node(0, 'x')], row(0));
  const own = mkdtempSync(join(folder, 'own-'));
  const path = join(own, 'r.run');
  const breakOff = new AbortController();
  const settings = { signal: breakOff.signal, onProgress: () => breakOff.abort(new Error('enough')) };
  await expect(pullRun(database, await findStoredRun(database, 'r'), path, settings)).rejects.toThrow('enough');
  expect(readdirSync(own)).toEqual([]);
  await pullRun(database, await findStoredRun(database, 'r'), path);
  await log.append([node(1, 'y')], row(1));
  await expect(pullRun(database, await findStoredRun(database, 'r'), path, settings)).rejects.toThrow('enough');
  expect(readdirSync(own)).toEqual(['r.run']);
  await using pulled = openSqliteRunReader(path);
  expect((await allOf(pulled.rows())).length).toBe(1);
});

test('what is damaged in the database is so in the file, and told with its row', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  await using log = await openRunLog(database, 'r');
  for (const line of [0, 1, 2]) await log.append([node(line, `output ${line}`)], row(line));
  await database.query(`UPDATE unroll.segment SET bytes = set_byte(bytes, 9, get_byte(bytes, 9) # 4)
    WHERE id = (SELECT segment FROM unroll.row_end WHERE line = 1)`);
  const path = join(folder, 'damaged.run');
  await pullRun(database, await findStoredRun(database, 'r'), path);
  expect((await checkRunFile(path)).map(({ row: of }) => of)).toEqual([undefined, { line: 1, repeat: 0 }]);
  await using pulled = openSqliteRunReader(path, { onDamage: () => {} });
  expect((await allOf(pulled.rows())).map(({ line }) => line)).toEqual([0, 2]);
});

test('of rows that hold megabytes few are read at a time, and all of them are pulled', async () => {
  await using fresh = await freshDatabase();
  await using database = await ready(fresh.url);
  const log = await openRunLog(database, 'r');
  const texts = Array.from({ length: 12 }, (_, line) => `${line}`.repeat(line === 5 ? 3 : 2_500_000));
  for (const [line, text] of texts.entries()) await log.append([node(line, text)], row(line));
  await using reader = await openRunReader(database, 'r');
  const batches = await Array.fromAsync(reader.records());
  expect(batches.map((batch) => batch.length)).toEqual([2, 2, 3, 2, 2, 1]);
  expect(batches.flat().map(({ nodes: [one] }) => one?.output)).toEqual(texts);
  const path = join(folder, 'long.run');
  await pullRun(database, await findStoredRun(database, 'r'), path);
  await using pulled = openSqliteRunReader(path);
  expect((await allOf(pulled.records())).map(({ nodes: [one] }) => one?.output)).toEqual(texts);
});
