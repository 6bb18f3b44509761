import type { JsonValue, RunInfo } from '@unroll/engine';
import { statusNumber, stringifyJson } from '@unroll/engine/record-format';
import type { Transaction } from '../database/database.ts';
import { storedText } from '../database/stored-text.ts';
import type { EncodedNode, EncodedRow } from './open-rows.ts';
import { SegmentPacker } from './segments.ts';
import { type RowPlace, rowKey, type ValuePlace } from './stored-records.ts';
import { addNodeReads } from './stored-run.ts';

/** What one commit writes, in the order it was appended. */
export interface EncodedGroup {
  readonly nodes: readonly EncodedNode[];
  readonly rows: readonly EncodedRow[];
  readonly metrics: readonly Readonly<Record<string, JsonValue>>[];
  readonly nodeReads: NonNullable<RunInfo['nodeReads']>;
}

/**
 * Writes a group inside a transaction. What is there already stays as it is.
 *
 * @returns rows of which another process recorded a node first
 */
export async function writeGroup(
  transaction: Transaction,
  run: number,
  group: EncodedGroup,
): Promise<readonly RowPlace[]> {
  const late = group.nodes.length + group.rows.length === 0 ? [] : await writeRecords(transaction, run, group);
  await writeMetrics(transaction, run, group.metrics);
  await addNodeReads(transaction, run, group.nodeReads);
  return late;
}

async function writeRecords(
  transaction: Transaction,
  run: number,
  { nodes, rows }: EncodedGroup,
): Promise<readonly RowPlace[]> {
  const { schema } = transaction;
  const [taken] = await transaction.query<{ first: number }>(`SELECT nextval('${schema}.segment_number') AS first`);
  const packer = new SegmentPacker(taken?.first ?? 0);
  const nodePlaces = nodes.map(({ text }) => packer.add(text));
  const rowPlaces = rows.map(({ text }) => packer.add(text));
  for (const { id, size, checksum, bytes } of packer.all()) {
    await transaction.query(
      `INSERT INTO ${schema}.segment (run, id, size, checksum, bytes) VALUES ($1, $2, $3, $4, $5)`,
      [run, id, size, checksum, bytes],
    );
  }
  const late = await writeNodes(transaction, run, nodes, nodePlaces);
  await writeRows(transaction, run, rows, rowPlaces);
  return late;
}

async function writeNodes(
  transaction: Transaction,
  run: number,
  nodes: readonly EncodedNode[],
  places: readonly ValuePlace[],
): Promise<readonly RowPlace[]> {
  if (nodes.length === 0) return [];
  const runs = nodes.map((node) => node.run);
  const added = await transaction.lists<[line: number, repeat: number, node: number]>(
    `INSERT INTO ${transaction.schema}.node_end (run, line, repeat, node, status, started_at, duration_ms,
       prompt_tokens, completion_tokens, segment, start, size)
     SELECT $1, * FROM unnest($2::int[], $3::int[], $4::int[], $5::smallint[], $6::float8[], $7::float8[],
       $8::bigint[], $9::bigint[], $10::bigint[], $11::int[], $12::int[])
     ON CONFLICT DO NOTHING RETURNING line, repeat, node`,
    [
      run,
      runs.map(({ line }) => line),
      runs.map(({ repeat = 0 }) => repeat),
      nodes.map(({ id }) => id),
      runs.map(({ status }) => statusNumber(status)),
      runs.map(({ startedAt }) => orNull(startedAt)),
      runs.map(({ durationMs }) => orNull(durationMs)),
      runs.map(({ usage }) => usage?.promptTokens ?? null),
      runs.map(({ usage }) => usage?.completionTokens ?? null),
      ...columnsOf(places),
    ],
  );
  if (added.length === nodes.length) return [];
  const there = new Set(added.map(([line, repeat, node]) => `${rowKey(line, repeat)} ${node}`));
  return nodes.flatMap(({ run: { line, repeat = 0 }, id }) =>
    // The first of them that this commit holds.
    there.delete(`${rowKey(line, repeat)} ${id}`) ? [] : [{ line, repeat }],
  );
}

async function writeRows(
  transaction: Transaction,
  run: number,
  encoded: readonly EncodedRow[],
  places: readonly ValuePlace[],
): Promise<void> {
  if (encoded.length === 0) return;
  const rows = encoded.map(({ row }) => row);
  await transaction.query(
    `INSERT INTO ${transaction.schema}.row_end (run, line, repeat, status, started_at, duration_ms, unfinished,
       digests, segment, start, size)
     SELECT $1, line, repeat, status, started_at, duration_ms, unfinished, decode(digits, 'hex'), segment, start, size
     FROM unnest($2::int[], $3::int[], $4::smallint[], $5::float8[], $6::float8[], $7::int[], $8::text[],
       $9::bigint[], $10::int[], $11::int[])
       AS given (line, repeat, status, started_at, duration_ms, unfinished, digits, segment, start, size)
     ON CONFLICT DO NOTHING`,
    [
      run,
      rows.map(({ line }) => line),
      rows.map(({ repeat = 0 }) => repeat),
      rows.map(({ status }) => statusNumber(status)),
      rows.map(({ startedAt }) => orNull(startedAt)),
      rows.map(({ durationMs }) => orNull(durationMs)),
      rows.map(({ unfinished = [] }) => unfinished.length),
      encoded.map(({ digests }) => digests),
      ...columnsOf(places),
    ],
  );
}

async function writeMetrics(
  transaction: Transaction,
  run: number,
  logged: readonly Readonly<Record<string, JsonValue>>[],
): Promise<void> {
  for (const [name, value] of logged.flatMap((metrics) => Object.entries(metrics))) {
    await transaction.query(
      `INSERT INTO ${transaction.schema}.metric (run, name, value) VALUES ($1, $2, $3)
       ON CONFLICT (run, name) DO UPDATE SET value = excluded.value, place = DEFAULT`,
      [run, storedText(name), stringifyJson(value)],
    );
  }
}

function columnsOf(places: readonly ValuePlace[]): readonly (readonly number[])[] {
  return [places.map(({ segment }) => segment), places.map(({ start }) => start), places.map(({ size }) => size)];
}

/** NaN is no time: a file keeps it as null. */
function orNull(number: number | undefined): number | null {
  return number === undefined || Number.isNaN(number) ? null : number;
}
