import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { parseOwnJson, type Value } from '../value/json.ts';
import { type Payload, PayloadReader, parsePayload } from './decode-record.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { readDigests } from './read-digests.ts';
import { readRowEnds } from './read-row-ends.ts';
import { readRows } from './read-rows.ts';
import { recordDigest } from './record-digest.ts';
import type { NodeCount, ReadRow, RecordDigest, RowEnd, RunStore, WantedRecords } from './run-store.ts';
import { type PayloadPlace, SegmentReader } from './segments.ts';
import { statusOf } from './status-number.ts';

/** Reads what a record file holds; each answer is of one moment, also while another process writes. */
export class RunFileReader {
  private readonly database: DatabaseSync;
  private readonly segments: SegmentReader;
  private readonly selectNodes: StatementSync;
  private readonly selectRow: StatementSync;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.segments = new SegmentReader(database);
    this.selectNodes = database.prepare(`SELECT ${nodeColumns} FROM node_ends JOIN nodes ON nodes.id = node_ends.node
      WHERE line = ? AND repeat = ? ORDER BY place`);
    this.selectRow = database.prepare(`SELECT * FROM row_ends WHERE line = ? AND repeat = ?`);
  }

  nodes(line: number, repeat: number): readonly NodeRun[] {
    const rows = this.selectNodes.all(line, repeat) as unknown as readonly NodeRow[];
    const payloads = new Map(rows.map((row) => [row.id, parsePayload(this.segments.read(row))]));
    const reader = new PayloadReader((node) => payloadOf(payloads.get(node), node));
    return rows.map((row) => nodeRun(row, payloadOf(payloads.get(row.id), row.id), reader));
  }

  row(line: number, repeat: number): RowRun | undefined {
    const row = this.selectRow.get(line, repeat) as unknown as RowRow | undefined;
    return row === undefined ? undefined : this.rowRun(row);
  }

  *rows(): Generator<RowRun> {
    const rows = this.database.prepare('SELECT * FROM row_ends ORDER BY line, repeat').iterate();
    for (const row of rows as Iterable<unknown>) yield this.rowRun(row as RowRow);
  }

  rowEnds(): Generator<RowEnd> {
    return readRowEnds(this.database);
  }

  readRows(wanted: WantedRecords): Generator<ReadRow> {
    return readRows(this.database, this.segments, wanted);
  }

  digests(): Generator<RecordDigest> {
    return readDigests(this.database, (line, repeat) => {
      const ids = this.selectNodes.all(line, repeat).map(({ id }) => Number(id));
      return new Map(this.nodes(line, repeat).map((run, at) => [ids[at] ?? -1, recordDigest(run)]));
    });
  }

  nodeCounts(): readonly NodeCount[] {
    const counts = this.database
      .prepare(
        `SELECT nodes.name AS node, status, count(*) AS records, total(duration_ms) AS durationMs,
           total(prompt_tokens) AS promptTokens, total(completion_tokens) AS completionTokens
         FROM node_ends JOIN nodes ON nodes.id = node_ends.node GROUP BY nodes.id, status ORDER BY nodes.id, status`,
      )
      .all() as unknown as readonly (Omit<NodeCount, 'status'> & { readonly status: number })[];
    return counts.map((count) => ({ ...count, status: statusOf(count.status) }));
  }

  tokens(): ReturnType<RunStore['tokens']> {
    const columns = 'total(prompt_tokens) AS promptTokens, total(completion_tokens) AS completionTokens';
    return this.database.prepare(`SELECT ${columns} FROM node_ends`).get() as ReturnType<RunStore['tokens']>;
  }

  rowCounts(): Readonly<Record<RowRun['status'], number>> {
    const counted = this.database.prepare('SELECT status, count(*) AS rows FROM row_ends GROUP BY status').all();
    const counts = counted.map(({ status, rows }) => [statusOf(Number(status)), Number(rows)]);
    return { Completed: 0, Failed: 0, Canceled: 0, ...Object.fromEntries(counts) };
  }

  unfinishedCount(): number {
    return this.number('SELECT count(*) AS n FROM row_ends WHERE status = 0 AND unfinished > 0');
  }

  nextLine(): number {
    return this.number(
      'SELECT max(coalesce((SELECT max(line) FROM node_ends), -1), coalesce((SELECT max(line) FROM row_ends), -1)) + 1 AS n',
    );
  }

  metrics(): Readonly<Record<string, Value>> {
    const rows = this.database.prepare('SELECT name, value FROM metrics ORDER BY rowid').all();
    return Object.fromEntries(rows.map(({ name, value }) => [String(name), parseOwnJson(String(value))]));
  }

  private number(sql: string): number {
    return (this.database.prepare(sql).get() as { readonly n: number }).n;
  }

  private rowRun(row: RowRow): RowRun {
    const payload = parsePayload(this.segments.read(row));
    let ofNodes: ReadonlyMap<number, PayloadPlace> | undefined;
    const reader = new PayloadReader((node) => {
      ofNodes ??= this.placesOfNodes(row);
      const place = ofNodes.get(node);
      return payloadOf(place === undefined ? undefined : parsePayload(this.segments.read(place)), node);
    });
    return {
      line: row.line,
      ...(row.repeat === 0 ? {} : { repeat: row.repeat }),
      status: statusOf(row.status) as RowRun['status'],
      inputs: reader.inputs(payload) ?? {},
      outputs: reader.outputs(payload),
      startedAt: row.started_at ?? 0,
      durationMs: row.duration_ms ?? 0,
      ...(payload.x as Partial<RowRun> | undefined),
    };
  }

  private placesOfNodes({ line, repeat }: RowRow): ReadonlyMap<number, PayloadPlace> {
    const rows = this.selectNodes.all(line, repeat) as unknown as readonly NodeRow[];
    return new Map(rows.map((row) => [row.id, row]));
  }
}

const nodeColumns = `line, repeat, nodes.id, nodes.name, nodes.kind, status, started_at, duration_ms,
  lower(hex(fingerprint)) AS fingerprint, place, size`;

interface EndRow extends PayloadPlace {
  readonly line: number;
  readonly repeat: number;
  readonly status: number;
  readonly started_at: number | null;
  readonly duration_ms: number | null;
}

type RowRow = EndRow;

interface NodeRow extends EndRow {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly fingerprint: string;
}

function payloadOf(payload: Payload | undefined, node: number): Payload {
  if (payload === undefined) throw new Error(`bug: node ${node} is referred to and not recorded`);
  return payload;
}

function nodeRun(row: NodeRow, payload: Payload, reader: PayloadReader): NodeRun {
  const inputs = reader.inputs(payload);
  const output = reader.output(payload);
  return {
    line: row.line,
    ...(row.repeat === 0 ? {} : { repeat: row.repeat }),
    node: row.name,
    kind: row.kind,
    status: statusOf(row.status),
    ...(inputs === undefined ? {} : { inputs }),
    ...(output === undefined ? {} : { output }),
    ...(row.started_at === null ? {} : { startedAt: row.started_at }),
    ...(row.duration_ms === null ? {} : { durationMs: row.duration_ms }),
    ...(row.fingerprint === '' ? {} : { fingerprint: row.fingerprint }),
    ...(payload.x as Partial<NodeRun> | undefined),
  };
}
