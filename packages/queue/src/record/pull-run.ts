import { dirname } from 'node:path';
import { makeFolder } from '@unroll/engine';
import { copyIntoRunFile, type RunFileCopy } from '@unroll/engine/record-format';
import type { Database, Transaction } from '../database/database.ts';
import { givenText } from '../database/stored-text.ts';
import { oneMoment } from './one-moment.ts';
import { columnDamage, isSoundNode, isSoundRow, rowDamage, unnamedNode } from './require-sound.ts';
import { type StoredSegment, segmentColumns, segmentDamage, unpackSegment } from './segments.ts';
import { readMetric } from './stored-info.ts';
import { nodeEndColumns, rowEndColumns, type StoredNode, type StoredRow } from './stored-records.ts';
import { readNodeNames, type StoredRun } from './stored-run.ts';

/** How far a pull is. */
interface PullProgress {
  /** Records of nodes copied so far. */
  readonly records: number;
}

export interface PullSettings {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PullProgress) => void;
}

const segmentsAtOnce = 64;
/** Of values, before compression: those of few rows with pictures are as much as those of many others. */
const bytesAtOnce = 16 * 2 ** 20;
const recordsAtOnce = 10_000;

/**
 * Copies a run as it is at one moment into a record file, also while it is written. The file is there whole or not at all.
 *
 * A value that is damaged there is so in the file too, and told by who reads it.
 *
 * @throws RunDamageError when a segment is missing or columns are not as we write them; RunFileError when the file cannot be written
 */
export async function pullRun(
  database: Database,
  run: StoredRun,
  path: string,
  settings: PullSettings = {},
): Promise<void> {
  makeFolder(dirname(path));
  await database.transaction(async (transaction) => {
    await copyIntoRunFile(path, run.info, async (copy) => {
      const pull = new Pull(transaction, run, copy, settings);
      await pull.names();
      await pull.segments();
      await pull.nodes();
      await pull.rows();
      await pull.metrics();
    });
  }, oneMoment);
}

class Pull {
  private readonly transaction: Transaction;
  private readonly run: StoredRun;
  private readonly copy: RunFileCopy;
  private readonly settings: PullSettings;
  /** Where in the file the first byte of a segment lies, by its id. */
  private readonly places = new Map<number, number>();
  /** Ids of nodes. */
  private readonly named = new Set<number>();
  private records = 0;

  constructor(transaction: Transaction, run: StoredRun, copy: RunFileCopy, settings: PullSettings) {
    this.transaction = transaction;
    this.run = run;
    this.copy = copy;
    this.settings = settings;
  }

  async names(): Promise<void> {
    const names = await readNodeNames(this.transaction, this.transaction.schema, this.run.number);
    for (const [id, { name, kind }] of names) {
      this.copy.addNodeName(id, name, kind);
      this.named.add(id);
    }
  }

  async segments(): Promise<void> {
    const { schema } = this.transaction;
    const first = `SELECT id, size FROM ${schema}.segment WHERE run = $1 AND id > $2 ORDER BY id LIMIT ${segmentsAtOnce}`;
    const sized = `SELECT id, sum(size) OVER (ORDER BY id) - size AS before FROM (${first}) AS first`;
    const sql = `SELECT ${segmentColumns} FROM ${schema}.segment WHERE run = $1
      AND id IN (SELECT id FROM (${sized}) AS sized WHERE before < ${bytesAtOnce}) ORDER BY id`;
    await this.pages<StoredSegment>(sql, [-1], keyOfSegment, (segment) => {
      const [id, , , bytes] = segment;
      this.places.set(id, this.copy.addSegment(unpackSegment(segment), bytes));
    });
  }

  async nodes(): Promise<void> {
    const after = '(line, repeat, node) > ($2, $3, $4) ORDER BY line, repeat, node';
    const from = `${this.transaction.schema}.node_end WHERE run = $1 AND ${after} LIMIT ${recordsAtOnce}`;
    const sql = `SELECT ${nodeEndColumns} FROM ${from}`;
    await this.pages<StoredNode>(sql, [-1, 0, 0], keyOfNode, (node) => this.addNode(node));
  }

  async rows(): Promise<void> {
    const after = '(line, repeat) > ($2, $3) ORDER BY line, repeat';
    const from = `${this.transaction.schema}.row_end WHERE run = $1 AND ${after} LIMIT ${recordsAtOnce}`;
    const sql = `SELECT ${rowEndColumns}, encode(digests, 'hex') FROM ${from}`;
    await this.pages<readonly [...StoredRow, string | null]>(sql, [-1, 0], keyOfRow, (row) => {
      const [line, repeat, status, startedAt, durationMs, unfinished, segment, start, size, digits] = row;
      if (!isSoundRow({ status, startedAt, durationMs }))
        throw rowDamage(this.run.info.id, { line, repeat }, columnDamage);
      const place = this.placeOf(segment, start);
      this.copy.addRowEnd([line, repeat, status, startedAt, durationMs, unfinished, place, size], digits ?? undefined);
    });
  }

  async metrics(): Promise<void> {
    const sql = `SELECT name, value FROM ${this.transaction.schema}.metric WHERE run = $1 ORDER BY place`;
    const metrics = await this.transaction.query<{ name: string; value: string }>(sql, [this.run.number]);
    for (const { name, value } of metrics) {
      readMetric(this.run.info.id, givenText(name), value);
      this.copy.addMetric(givenText(name), value);
    }
  }

  private addNode([line, repeat, node, status, startedAt, durationMs, ...rest]: StoredNode): void {
    const [promptTokens, completionTokens, segment, start, size] = rest;
    const isSound = isSoundNode({ status, startedAt, durationMs, promptTokens, completionTokens });
    if (!isSound) throw rowDamage(this.run.info.id, { line, repeat }, columnDamage);
    if (!this.named.has(node)) throw rowDamage(this.run.info.id, { line, repeat }, unnamedNode);
    const place = this.placeOf(segment, start);
    const tokens = [promptTokens, completionTokens] as const;
    this.copy.addNodeEnd([line, repeat, node, status, startedAt, durationMs, ...tokens, place, size]);
    this.records += 1;
  }

  /**
   * Reads a table in the order of its key, some rows at a time: the next ones are on their way while these are copied.
   *
   * @param first below every key
   */
  private async pages<Row extends readonly unknown[]>(
    sql: string,
    first: readonly number[],
    keyOf: (row: Row) => readonly number[],
    take: (row: Row) => void,
  ): Promise<void> {
    const page = (after: readonly number[]): Promise<readonly Row[]> =>
      this.transaction.lists<Row>(sql, [this.run.number, ...after]);
    let coming: Promise<readonly Row[]> | undefined = page(first);
    while (coming !== undefined) {
      const rows: readonly Row[] = await coming;
      this.settings.signal?.throwIfAborted();
      const last = rows.at(-1);
      coming = last === undefined ? undefined : page(keyOf(last));
      // Sent before this one is copied, which takes a while.
      if (coming !== undefined) await new Promise((resolve) => setImmediate(resolve));
      coming?.catch(() => {});
      for (const row of rows) take(row);
      this.copy.isAlive();
      this.settings.onProgress?.({ records: this.records });
    }
  }

  private placeOf(segment: number, start: number): number {
    const place = this.places.get(segment);
    if (place === undefined) throw segmentDamage(this.run.info.id, segment);
    return place + start;
  }
}

const keyOfSegment = ([id]: StoredSegment): readonly number[] => [id];
const keyOfNode = ([line, repeat, node]: StoredNode): readonly number[] => [line, repeat, node];
const keyOfRow = ([line, repeat]: readonly [...StoredRow, string | null]): readonly number[] => [line, repeat];
