import type { DataRow } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { expect, test } from 'vitest';
import { createRun } from '../record/stored-run.ts';
import { freshEngine } from '../testing/index.ts';
import { addChunks } from './chunks.ts';

async function* rowsOf(sizes: readonly number[]): AsyncGenerator<DataRow, void> {
  for (const [line, size] of sizes.entries()) yield { line, values: { text: '語'.repeat(size / 3) } };
}

const megabyte = 2 ** 20;

test.for([
  { what: 'small rows', sizes: [3, 3, 3, 3, 3], chunks: ['0-1', '2-3', '4-4'] },
  { what: 'large rows', sizes: [3, 6, 1.5, 6].map((size) => size * megabyte), chunks: ['0-0', '1-2', '3-3'] },
  {
    what: 'rows larger than a chunk',
    sizes: [1, 12, 12, 1].map((size) => size * megabyte),
    chunks: ['0-0', '1-1', '2-2', '3-3'],
  },
])('$what: a chunk has two rows at most, and 8 MB', async ({ sizes, chunks }) => {
  await using engine = await freshEngine();
  const { database } = engine;
  const info = runInfo();
  const { number } = await createRun(database, info);
  await addChunks(number, rowsOf(sizes), 2, database);
  const sql = `SELECT first_line || '-' || last_line AS lines FROM ${database.schema}.chunk ORDER BY number`;
  expect((await database.query<{ lines: string }>(sql)).map(({ lines }) => lines)).toEqual(chunks);
});
