import { join } from 'node:path';
import { allOf, type JsonObject, type NodeRun, type RowRun, RunFileError, type RunReader } from '@unroll/engine';
import { runInfo } from '@unroll/engine/testing';
import { ProjectFailure } from '@unroll/project';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freshEngine } from '../testing/fresh-engine.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { beginning, endedRows } from '../work/ended-rows.ts';
import { openRunLog } from './postgres-run-log.ts';
import { openRunReader } from './postgres-run-reader.ts';
import { pullRun } from './pull-run.ts';
import { createRun } from './stored-run.ts';

const usage = { promptTokens: 3, completionTokens: 4, totalTokens: 7 };
const node = (line: number, name: string, inputs: JsonObject): NodeRun => {
  return {
    line,
    node: name,
    kind: 'python',
    status: 'Completed',
    inputs,
    output: 'o'.repeat(200),
    usage,
    durationMs: 1,
  };
};
const row = (line: number): RowRun => {
  return { line, status: 'Completed', inputs: { n: line }, outputs: { o: line }, startedAt: 1, durationMs: 2 };
};

/** A run of two rows, of two nodes each; the second node is given what the first one gave. */
async function storedRun(id: string, database: Database): Promise<number> {
  const nodes = ['a', 'b'].map((name) => ({ name, kind: 'python' }));
  const { number } = await createRun(database, runInfo({ id, nodes }));
  await using log = await openRunLog(database, id);
  for (const line of [0, 1]) {
    await log.append([node(line, 'a', { n: line }), node(line, 'b', { text: 'o'.repeat(200) })], row(line));
  }
  await log.appendMetrics({ sum: 1 });
  return number;
}

const reads: Readonly<Record<string, (reader: RunReader) => Promise<unknown>>> = {
  row: (reader) => reader.row(0),
  nodes: (reader) => reader.nodes(0),
  rows: (reader) => allOf(reader.rows()),
  ends: (reader) => allOf(reader.rowEnds()),
  records: (reader) => allOf(reader.records()),
  digests: (reader) => allOf(reader.digests()),
  rowCounts: (reader) => reader.rowCounts(),
  nodeCounts: (reader) => reader.nodeCounts(),
  tokens: (reader) => reader.tokens(),
  metrics: (reader) => reader.metrics(),
};

/** What reading says: each message once, and what is no failure in words as it is. */
async function said(id: string, number: number, database: Database): Promise<readonly string[]> {
  const lines = new Set<string>();
  const note = (what: string, error: unknown): void => {
    const isTold = error instanceof RunFileError || error instanceof ProjectFailure;
    lines.add(isTold ? error.message : `${what}: ${String(error)}`);
  };
  await allOf(endedRows({ id, number }, beginning, undefined, database)).catch((error) => note('ended rows', error));
  const reader = await openRunReader(database, id).catch((error) => note('open', error));
  if (reader === undefined) return [...lines];
  for (const [what, read] of Object.entries(reads)) await read(reader).catch((error) => note(what, error));
  using folder = temporaryFolder();
  const stored = { number, info: reader.info };
  await pullRun(database, stored, join(folder.path, 'copy.run')).catch((error) => note('pull', error));
  return [...lines].sort();
}

const ofRow = (run: string, what: string): string => `row 0 of the run ${run} cannot be read: ${what}`;
const columns = 'its columns in the database are damaged';
const unnamed = 'it has a node that the list of nodes does not have';
const sums = (run: string): string => `the run ${run} is damaged: its columns cannot be summed up`;

test.for([
  { sql: 'UPDATE unroll.row_end SET status = 99', says: (run: string) => [ofRow(run, columns), sums(run)] },
  { sql: 'UPDATE unroll.row_end SET status = 1', says: (run: string) => [ofRow(run, columns), sums(run)] },
  { sql: "UPDATE unroll.row_end SET duration_ms = 'NaN'", says: (run: string) => [ofRow(run, columns)] },
  { sql: "UPDATE unroll.row_end SET started_at = 'Infinity'", says: (run: string) => [ofRow(run, columns)] },
  { sql: 'UPDATE unroll.node_end SET status = 50', says: (run: string) => [ofRow(run, columns), sums(run)] },
  { sql: 'UPDATE unroll.node_end SET prompt_tokens = -5', says: (run: string) => [ofRow(run, columns), sums(run)] },
  {
    sql: 'UPDATE unroll.node_end SET completion_tokens = 9223372036854775807',
    says: (run: string) => [ofRow(run, columns), sums(run)],
  },
  {
    sql: "UPDATE unroll.node_end SET duration_ms = 'Infinity'",
    says: (run: string) => [ofRow(run, columns), sums(run)],
  },
  { sql: 'UPDATE unroll.node_end SET node = node + 70', says: (run: string) => [ofRow(run, unnamed), sums(run)] },
  { sql: 'DELETE FROM unroll.node_name', says: (run: string) => [ofRow(run, unnamed), sums(run)] },
  { sql: "UPDATE unroll.metric SET value = 'x'", says: (run: string) => [`the run ${run} is damaged: its metric sum`] },
  {
    sql: `INSERT INTO unroll.node_reads (run, node, parts) SELECT number, 'a', '"x"' FROM unroll.run`,
    says: (run: string) => [`run ${run} is damaged in the database: what its code read cannot be read`],
  },
])('$sql', async ({ sql, says }) => {
  await using engine = await freshEngine();
  const number = await storedRun('r', engine.database);
  await engine.database.query(sql);
  expect(await said('r', number, engine.database)).toEqual(says('r'));
});

test('a record that refers to a node whose record is gone is damage', async () => {
  await using engine = await freshEngine();
  const number = await storedRun('r', engine.database);
  await engine.database.query('DELETE FROM unroll.node_end WHERE node = 1');
  const told = await said('r', number, engine.database);
  expect(told.map((line) => line.replace(/\/\S+\//, ''))).toEqual([
    ofRow('r', 'a value in it is missing, which one of its nodes gave'),
    'row 0 of the run record copy.run cannot be read: a record of it is damaged',
  ]);
});
