import { allOf, type NodeRun, type RunInfo } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openRunLog } from '../record/postgres-run-log.ts';
import { openRunReader } from '../record/postgres-run-reader.ts';
import { createRun } from '../record/stored-run.ts';
import { freshEngine } from '../testing/index.ts';
import { removeStoredRuns, runsOverFor } from './remove-runs.ts';

const infoOf = (id: string): RunInfo =>
  runInfo({
    id,
    nodes: [{ name: 'a', kind: 'python' }],
  });
const node: NodeRun = { line: 0, node: 'a', kind: 'python', status: 'Completed', output: 'x' };

async function made(database: Database, id: string): Promise<void> {
  await createRun(database, infoOf(id));
  await using log = await openRunLog(database, id);
  await log.append([node]);
}

async function tablesOf(database: Database): Promise<readonly string[]> {
  const sql =
    "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^(segment|node_end|row_end)_[0-9]+$' ORDER BY 1";
  return (await database.query<{ relname: string }>(sql)).map(({ relname }) => relname);
}

test('a run is removed with its tables; others stay, and are read, written and begun meanwhile', async () => {
  await using engine = await freshEngine();
  const { database } = engine;
  for (const id of ['old', 'new']) await made(database, id);
  const reading = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  // Somebody reads a moment of the other run for a long time.
  const reader = database.transaction(async (transaction) => {
    await transaction.query('SELECT count(*) FROM unroll.node_end WHERE run = 2');
    reading.resolve();
    await read.promise;
    return await transaction.query('SELECT count(*) AS n FROM unroll.node_end WHERE run = 2');
  }, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await reading.promise;
  const removing = removeStoredRuns(['old'], database);
  await expect(openRunReader(database, 'none')).rejects.toThrow('there is no run none');
  await using log = await openRunLog(database, 'new');
  await log.append([{ ...node, line: 1 }]);
  await made(database, 'newest');
  read.resolve();
  expect(await reader).toEqual([{ n: 1 }]);
  await removing;
  await expect(openRunReader(database, 'old')).rejects.toThrow('there is no run old');
  expect((await allOf(log.digests())).map(({ line }) => line)).toEqual([0, 1]);
  expect((await tablesOf(database)).filter((name) => name.startsWith('node_end'))).toEqual([
    'node_end_2',
    'node_end_3',
  ]);
});

test('what a process left that was killed while it removed a run is removed by the next', async () => {
  await using engine = await freshEngine();
  const { database } = engine;
  for (const id of ['one', 'two', 'three']) await made(database, id);
  await database.query("DELETE FROM unroll.run WHERE id IN ('one', 'two')");
  await database.query('ALTER TABLE unroll.segment DETACH PARTITION unroll.segment_2');
  await database.query('DROP TABLE unroll.node_end_1');
  await removeStoredRuns([], database);
  expect(await tablesOf(database)).toEqual(['node_end_3', 'row_end_3', 'segment_3']);
});

test('runs that are over are told with their age and size, the oldest first', async () => {
  await using engine = await freshEngine();
  const { database } = engine;
  for (const id of ['one', 'two']) await made(database, id);
  await database.query("UPDATE unroll.run SET created_at = now() - interval '3 days' WHERE id = 'two'");
  expect((await runsOverFor(0, database)).map(({ id }) => id)).toEqual(['two', 'one']);
  const [only, ...others] = await runsOverFor(2 * 86_400_000, database);
  expect([only?.id, others, (only?.bytes ?? 0) > 10_000, Math.round((only?.ageMs ?? 0) / 86_400_000)]).toEqual([
    'two',
    [],
    true,
    3,
  ]);
});
