import { zstdCompressSync } from 'node:zlib';
import { type DataRow, isMapping, type JsonObject, type JsonValue, parseJson, stringifyJson } from '@unroll/engine';
import * as z from 'zod';
import type { Queryable } from '../database/database.ts';
import { unzippedAtMost } from '../database/unzipped.ts';
import { damagedRun, parsed } from '../record/stored-info.ts';
import type { EngineKey } from '../seal/index.ts';
import type { RunWork } from './run-work.ts';
import { openRows, type RowSealer } from './sealed-work.ts';

type InSchema = Queryable & { readonly schema: string };

/** Rows at most that a worker takes at a time. */
const maxRows = 100;
/** Of a flow that asks models: a chunk takes minutes, not hours. */
const maxModelRows = 10;
/** Chunks at least, as far as there are rows, so that every worker has some. */
const fewestChunks = 32;

/** @param total rows there are, where they were counted */
export function chunkSize(total: number | undefined, asksModels: boolean): number {
  const most = asksModels ? maxModelRows : maxRows;
  return total === undefined ? most : Math.max(1, Math.min(most, Math.ceil(total / fewestChunks)));
}

/** Bytes of the JSON of several rows at most: who reads more at once is not heard of meanwhile. */
const maxBytesTogether = 8 * 2 ** 20;

/** Adds the rows of a run, so many a chunk or fewer, each sealed where they hold secrets. @returns how many chunks there are */
export async function addChunks(
  run: number,
  rows: AsyncIterable<DataRow>,
  size: number,
  within: InSchema,
  seal: RowSealer = (bytes) => bytes,
): Promise<number> {
  let [number, bytes] = [0, 0];
  let chunk: { readonly line: number; readonly text: string }[] = [];
  const flush = async (): Promise<void> => {
    const lines = chunk.map(({ line }) => line);
    const text = `[${chunk.map((row) => row.text).join()}]`;
    const sql = `INSERT INTO ${within.schema}.chunk (run, number, first_line, last_line, rows) VALUES ($1, $2, $3, $4, $5)`;
    const [first, last] = [Math.min(...lines), Math.max(...lines)];
    await within.query(sql, [run, number, first, last, seal(zstdCompressSync(text), number)]);
    number += 1;
    bytes = 0;
    chunk = [];
  };
  for await (const row of rows) {
    const text = stringifyJson(row as unknown as JsonValue);
    const length = Buffer.byteLength(text);
    if (chunk.length >= size || (chunk.length > 0 && bytes + length > maxBytesTogether)) await flush();
    chunk.push({ line: row.line, text });
    bytes += length;
  }
  if (chunk.length > 0) await flush();
  return number;
}

const line = z.int().min(0);
const chunkRows = z.array(
  z.union([
    z.object({ line, values: z.custom<JsonObject>((value) => isMapping(value as JsonValue)) }),
    z.object({ line, problem: z.string() }),
  ]),
);

/** Bytes of the JSON of a chunk at most: a text of Node is no longer. */
const maxChunkBytes = 2 ** 29 - 24;

/** @throws ProjectFailure where it is not what whoever began the run wrote, or is sealed with another key than the one here */
export async function readChunk(
  work: RunWork,
  chunk: number,
  from: InSchema,
  key?: EngineKey,
): Promise<readonly DataRow[]> {
  const { id, number: run } = work;
  const sql = `SELECT rows FROM ${from.schema}.chunk WHERE run = $1 AND number = $2`;
  const [found] = await from.query<{ readonly rows: Buffer }>(sql, [run, chunk]);
  const text = found && unzippedAtMost(openRows(found.rows, work, chunk, key), maxChunkBytes)?.toString();
  const rows = chunkRows.safeParse(text === undefined ? undefined : parsed(text, parseJson));
  if (!rows.success) throw damagedRun(id, `chunk ${chunk} of its rows`);
  return rows.data;
}

/** All rows of the chunk have ended. */
export async function chunkDone({ number: run }: RunWork, chunk: number, within: InSchema): Promise<void> {
  await within.query(`UPDATE ${within.schema}.chunk SET is_done = true WHERE run = $1 AND number = $2`, [run, chunk]);
}

/** Numbers of the chunks with rows that have not ended. */
export async function openChunks({ number: run }: Pick<RunWork, 'number'>, from: InSchema): Promise<readonly number[]> {
  const sql = `SELECT number FROM ${from.schema}.chunk WHERE run = $1 AND NOT is_done ORDER BY number`;
  return (await from.query<{ readonly number: number }>(sql, [run])).map(({ number }) => number);
}

export async function hasOpenChunk({ number: run }: RunWork, from: InSchema): Promise<boolean> {
  const sql = `SELECT 1 FROM ${from.schema}.chunk WHERE run = $1 AND NOT is_done LIMIT 1`;
  return (await from.query(sql, [run])).length > 0;
}
