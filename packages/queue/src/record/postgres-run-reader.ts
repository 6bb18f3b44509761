import {
  type Batches,
  type JsonValue,
  type NodeCount,
  type NodeRun,
  type OnDamage,
  type RecordDigest,
  type RecordProjection,
  type RowRecords,
  type RowRun,
  type RowSummary,
  type RowView,
  RunDamageError,
  type RunInfo,
  type RunReader,
  type Usage,
} from '@unroll/engine';
import { statusOf } from '@unroll/engine/record-format';
import type { Database } from '../database/database.ts';
import { givenText } from '../database/stored-text.ts';
import { type EndedRow, RowDecoder, rowSummary } from './decode-rows.ts';
import { ChunkReader, type ChunkRow, type ChunkSettings } from './read-chunks.ts';
import { isRowStatus, isSoundNode, requireSound, rowDamage } from './require-sound.ts';
import { readMetric } from './stored-info.ts';
import type { ValuePlace } from './stored-records.ts';
import { findStoredRun, type StoredRun } from './stored-run.ts';

export interface ReadSettings {
  /** Told of rows that are left out where many are read, since they are damaged; without it damage is thrown. */
  readonly onDamage?: OnDamage | undefined;
}

/**
 * Opens a run to read it, also while it is written.
 *
 * @throws ProjectFailure when there is no such run
 */
export async function openRunReader(database: Database, id: string, settings: ReadSettings = {}): Promise<RunReader> {
  return new PostgresRunReader(database, await findStoredRun(database, id), settings);
}

/** Rows that are in memory together where their values are. */
const fewRows = 32;
const manyRows = 1024;

const noEnd = { status: 0, startedAt: null, durationMs: null };

/** A sum, at most one more than a count of tokens can be: PostgreSQL refuses what no bigint holds. */
const tokensOf = (column: string): string => `least(coalesce(sum(${column}), 0), ${2 ** 53})::bigint`;

type Counted = Omit<NodeCount, 'status' | 'node'> & { readonly node: string | null; readonly status: number };

function isSoundCount({ node, ...sums }: Counted): boolean {
  return node !== null && isSoundNode({ ...sums, startedAt: null });
}

/** Reads what the database holds of a run; what is read of one row, and each batch, is of one moment. */
export class PostgresRunReader implements RunReader {
  readonly info: RunInfo;
  private readonly database: Database;
  private readonly run: number;
  private readonly chunks: ChunkReader;
  private readonly onDamage: OnDamage | undefined;

  constructor(database: Database, run: StoredRun, { onDamage }: ReadSettings = {}) {
    this.info = run.info;
    this.database = database;
    this.run = run.number;
    this.chunks = new ChunkReader(database, run);
    this.onDamage = onDamage;
  }

  async nodes(line: number, repeat = 0): Promise<readonly NodeRun[]> {
    const found = await this.chunks.row({ line, repeat });
    return this.ofRow(found, (decoder) => decoder.nodes());
  }

  async row(line: number, repeat = 0): Promise<RowRun | undefined> {
    const found = await this.chunks.row({ line, repeat });
    return this.ofRow(found, (decoder) => decoder.row());
  }

  rows(): Batches<RowRun> {
    return this.decoded({ size: fewRows }, (decoder) => decoder.row());
  }

  records(): Batches<RowRecords> {
    return this.decoded({ size: fewRows }, (decoder) => {
      const row = decoder.row();
      return row === undefined ? undefined : { row, nodes: decoder.nodes() };
    });
  }

  rowEnds(): Batches<RowSummary> {
    const settings = { size: manyRows, values: () => false };
    return this.read(settings, (found) => this.sound(found, () => rowSummary(found as EndedRow, this.chunks)));
  }

  readRows(wanted: RecordProjection): Batches<RowView> {
    const isRead = (wanted.values ?? true) || wanted.nodes.length > 0;
    const settings = {
      size: fewRows,
      values: (row: readonly unknown[]) => isRead || statusOf(Number(row[2])) !== 'Completed',
    };
    return this.decoded(settings, (decoder, { row }) => decoder.view(row, wanted));
  }

  async *digests(): AsyncGenerator<readonly RecordDigest[], void> {
    const settings: ChunkSettings = { size: fewRows, open: true, digests: true };
    for await (const rows of this.decoded(settings, (decoder) => decoder.digests())) {
      const digests = rows.flat();
      if (digests.length > 0) yield digests;
    }
  }

  async rowCounts(): Promise<Readonly<Record<RowRun['status'], number>>> {
    const counted = await this.query<{ status: number; rows: number }>(
      'SELECT status, count(*) AS rows FROM row_end WHERE run = $1 GROUP BY status',
    );
    if (!counted.every(({ status }) => isRowStatus(status))) throw this.sumDamage();
    const counts = counted.map(({ status, rows }) => [statusOf(status), rows]);
    return { Completed: 0, Failed: 0, Canceled: 0, ...Object.fromEntries(counts) };
  }

  async unfinishedCount(): Promise<number> {
    return await this.number('SELECT count(*) AS n FROM row_end WHERE run = $1 AND status = 0 AND unfinished > 0');
  }

  async nodeCounts(): Promise<readonly NodeCount[]> {
    type Counted = Omit<NodeCount, 'status'> & { readonly status: number };
    const counted = await this.query<Counted>(
      `SELECT n.name AS node, e.status, e.records, e."durationMs", e."promptTokens", e."completionTokens"
       FROM (SELECT node, status, count(*) AS records, coalesce(sum(duration_ms), 0) AS "durationMs",
           ${tokensOf('prompt_tokens')} AS "promptTokens", ${tokensOf('completion_tokens')} AS "completionTokens"
         FROM node_end WHERE run = $1 GROUP BY node, status) e
       LEFT JOIN node_name n ON n.run = $1 AND n.id = e.node ORDER BY e.node, e.status`,
    );
    if (!counted.every(isSoundCount)) throw this.sumDamage();
    return counted.map((count) => ({
      ...count,
      status: statusOf(count.status),
      durationMs: Math.round(count.durationMs * 1e6) / 1e6,
    }));
  }

  async tokens(): Promise<Pick<Usage, 'promptTokens' | 'completionTokens'>> {
    const [tokens] = await this.query<Pick<Usage, 'promptTokens' | 'completionTokens'>>(
      `SELECT ${tokensOf('prompt_tokens')} AS "promptTokens", ${tokensOf('completion_tokens')} AS "completionTokens"
       FROM node_end WHERE run = $1`,
    );
    if (tokens !== undefined && !isSoundNode({ ...noEnd, ...tokens })) throw this.sumDamage();
    return tokens ?? { promptTokens: 0, completionTokens: 0 };
  }

  async nextLine(): Promise<number> {
    return await this.number(
      `SELECT greatest((SELECT max(line) FROM node_end WHERE run = $1), (SELECT max(line) FROM row_end WHERE run = $1), -1)
         + 1 AS n`,
    );
  }

  async metrics(): Promise<Readonly<Record<string, JsonValue>>> {
    const rows = await this.query<{ name: string; value: string }>(
      'SELECT name, value FROM metric WHERE run = $1 ORDER BY place',
    );
    const read = rows.map(({ name, value }) => [givenText(name), readMetric(this.info.id, givenText(name), value)]);
    return Object.fromEntries(read);
  }

  private sumDamage(): RunDamageError {
    return new RunDamageError({ message: `the run ${this.info.id} is damaged: its columns cannot be summed up` });
  }

  /** The database is closed by who opened it. */
  async [Symbol.asyncDispose](): Promise<void> {}

  private async query<Row>(sql: string): Promise<readonly Row[]> {
    const { schema } = this.database;
    const named = sql.replaceAll(/\b(FROM|JOIN) (row_end|node_end|node_name|metric)\b/g, `$1 ${schema}.$2`);
    return await this.database.query<Row>(named, [this.run]);
  }

  private async number(sql: string): Promise<number> {
    const [counted] = await this.query<{ n: number }>(sql);
    return counted?.n ?? 0;
  }

  private decoded<T>(
    settings: ChunkSettings,
    decode: (decoder: RowDecoder, found: EndedRow) => T | undefined,
  ): Batches<T> {
    return this.read(settings, (found) => this.ofRow(found, (decoder) => decode(decoder, found as EndedRow)));
  }

  /** Rows that are damaged are left out and told. */
  private async *read<T>(
    settings: ChunkSettings,
    look: (found: ChunkRow) => T | undefined,
  ): AsyncGenerator<readonly T[], void> {
    for await (const { rows } of this.chunks.all(settings)) {
      const read = rows.flatMap((found) => this.orLeftOut(() => look(found)) ?? []) as readonly T[];
      if (read.length > 0) yield read;
    }
  }

  private ofRow<T>(found: ChunkRow, decode: (decoder: RowDecoder) => T): T {
    const { chunks } = this;
    const source = {
      nameOf: (id: number) => chunks.nameOf(id),
      textAt: (place: ValuePlace) => chunks.segments.read(place),
    };
    return this.sound(found, () => decode(new RowDecoder(found, source)));
  }

  /** What is made of a row whose columns are as we write them. */
  private sound<T>(found: ChunkRow, make: () => T): T {
    try {
      requireSound(found, (id) => this.chunks.nameOf(id));
      return make();
    } catch (error) {
      if (!(error instanceof RunDamageError)) throw error;
      throw rowDamage(this.info.id, found, error.message);
    }
  }

  private orLeftOut<T>(look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof RunDamageError) || this.onDamage === undefined) throw error;
      this.onDamage(error);
      return undefined;
    }
  }
}
