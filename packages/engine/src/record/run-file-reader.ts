import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Usage } from '../node/node-report.ts';
import type { JsonValue } from '../value/json.ts';
import { type Payload, PayloadReader, parsePayload } from './decode-record.ts';
import { ExpectedNodes } from './expected-nodes.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { nodeRun, rowRun } from './read-columns.ts';
import { isStatus, missingText, type RunFileReaderOptions, raiseDamage } from './read-damage.ts';
import { readDigests } from './read-digests.ts';
import { readMetrics } from './read-metrics.ts';
import { readRowEnds } from './read-row-ends.ts';
import { readRows } from './read-rows.ts';
import type { RowId } from './run-comparison.ts';
import { RunDamageError } from './run-file-error.ts';
import type { NodeCount, RecordDigest, RecordProjection, RowRecords, RowSummary, RowView } from './run-reader.ts';
import { SegmentReader } from './segments.ts';
import { statuses, statusOf } from './status-number.ts';
import {
  isNodeEndSound,
  isRowEndSound,
  type NodeEndColumns,
  NodeNames,
  nodeEndColumns,
  nodeEndPlace,
  prepareLists,
  type RecordSource,
  type RowEndColumns,
  recordDamaged,
  rowDamage,
  rowEndColumns,
  rowEndPlace,
} from './stored-ends.ts';
import { type CountedTable, missingRecords } from './table-totals.ts';

/**
 * Reads what a record file holds; each answer is of one moment, also while another process writes. Nothing is given that
 * is not what was written: of every table it is looked at once that no record is missing, of every record its checksum.
 */
export class RunFileReader {
  private readonly database: DatabaseSync;
  private readonly path: string;
  private readonly source: RecordSource;
  private readonly segments: SegmentReader;
  private readonly selectNodes: StatementSync;
  private readonly selectRow: StatementSync;
  private readonly isTrusted: boolean;
  private readonly looked = new Set<CountedTable>();
  private readonly damagedTables = new Set<CountedTable>();

  constructor(
    database: DatabaseSync,
    path: string,
    { onDamage = raiseDamage, isTrusted = false }: RunFileReaderOptions = {},
  ) {
    this.database = database;
    this.path = path;
    this.isTrusted = isTrusted;
    this.source = {
      database,
      path,
      names: new NodeNames(database, path),
      expected: new ExpectedNodes(database),
      damagedTables: this.damagedTables,
      onDamage,
    };
    this.segments = new SegmentReader(database, path);
    const ofRow = 'WHERE line = ? AND repeat = ?';
    this.selectNodes = prepareLists(database, `SELECT ${nodeEndColumns} FROM node_ends ${ofRow} ORDER BY place`);
    this.selectRow = prepareLists(database, `SELECT ${rowEndColumns} FROM row_ends ${ofRow}`);
  }

  /** Of payloads, so far. */
  get bytesRead(): number {
    return this.segments.bytesRead;
  }

  /** @throws RunDamageError */
  nodes(line: number, repeat: number): readonly NodeRun[] {
    this.requireAll('node_ends', 'nodes');
    const ends = this.nodeEnds({ line, repeat });
    return this.ofRow({ line, repeat }, () => {
      const payloads = new Map(ends.map((end) => [end[2], parsePayload(this.segments.read(nodeEndPlace(end)))]));
      const reader = new PayloadReader((node) => this.payloadOf(payloads.get(node), { line, repeat }));
      return ends.map((end) => {
        return nodeRun(end, this.source.names.of(end[2]), payloads.get(end[2]) as Payload, reader);
      });
    });
  }

  /** @throws RunDamageError */
  row(line: number, repeat: number): RowRun | undefined {
    this.requireAll('row_ends');
    const row = this.selectRow.get(line, repeat) as unknown as RowEndColumns | undefined;
    return row === undefined ? undefined : this.rowRun(row);
  }

  *rows(): Generator<RowRun> {
    this.requireAll('row_ends', 'node_ends');
    const rows = prepareLists(this.database, `SELECT ${rowEndColumns} FROM row_ends ORDER BY line, repeat`).iterate();
    for (const row of rows as Iterable<unknown> as Iterable<RowEndColumns>) {
      const read = this.orLeftOut(() => this.rowRun(row));
      if (read !== undefined) yield read;
    }
  }

  *records(): Generator<RowRecords> {
    for (const row of this.rows()) {
      const nodes = this.orLeftOut(() => this.nodes(row.line, row.repeat ?? 0));
      if (nodes !== undefined) yield { row, nodes };
    }
  }

  *rowEnds(): Generator<RowSummary> {
    this.requireAll('row_ends', 'node_ends', 'nodes');
    yield* readRowEnds(this.source);
  }

  *readRows(wanted: RecordProjection): Generator<RowView> {
    this.requireAll('row_ends', 'node_ends', 'nodes');
    yield* readRows(this.source, this.segments, wanted);
  }

  *digests(): Generator<RecordDigest> {
    this.requireAll('node_ends', 'row_digests', 'nodes');
    yield* readDigests(this.source, ({ line, repeat }) => this.nodes(line, repeat));
  }

  nodeCounts(): readonly NodeCount[] {
    this.requireAll('node_ends', 'nodes');
    const counts = this.database
      .prepare(
        `SELECT node, status, count(*) AS records, total(duration_ms) AS durationMs,
           total(prompt_tokens) AS promptTokens, total(completion_tokens) AS completionTokens
         FROM node_ends WHERE ${isStatus} GROUP BY node, status ORDER BY node, status`,
      )
      .all() as unknown as readonly (Omit<NodeCount, 'node' | 'status'> & Record<'node' | 'status', number>)[];
    return counts.flatMap(({ node, status, ...count }) => {
      const named = this.orLeftOut(() => this.source.names.of(node));
      if (named === undefined) return [];
      const durationMs = Math.round(count.durationMs * 1e6) / 1e6;
      return [{ node: named.name, status: statusOf(status), ...count, durationMs }];
    });
  }

  tokens(): Pick<Usage, 'promptTokens' | 'completionTokens'> {
    this.requireAll('node_ends');
    const columns = 'total(prompt_tokens) AS promptTokens, total(completion_tokens) AS completionTokens';
    return this.database.prepare(`SELECT ${columns} FROM node_ends`).get() as Pick<
      Usage,
      'promptTokens' | 'completionTokens'
    >;
  }

  rowCounts(): Readonly<Record<RowRun['status'], number>> {
    this.requireAll('row_ends');
    // Grouped by status, which has no index, they would be sorted first.
    const counts = statuses.map((status, number) => `count(*) FILTER (WHERE status = ${number}) AS ${status}`);
    const counted = this.database.prepare(`SELECT ${counts.join(', ')} FROM row_ends`).get() as Record<string, number>;
    const found = Object.entries(counted).filter(([, rows]) => rows > 0);
    return { Completed: 0, Failed: 0, Canceled: 0, ...Object.fromEntries(found) };
  }

  unfinishedCount(): number {
    this.requireAll('row_ends');
    return this.number('SELECT count(*) AS n FROM row_ends WHERE status = 0 AND unfinished > 0');
  }

  nextLine(): number {
    this.requireAll('row_ends', 'node_ends');
    return this.number(
      'SELECT max(coalesce((SELECT max(line) FROM node_ends), -1), coalesce((SELECT max(line) FROM row_ends), -1)) + 1 AS n',
    );
  }

  metrics(): Readonly<Record<string, JsonValue>> {
    this.requireAll('metrics');
    return readMetrics(this.database, this.path);
  }

  private requireAll(...tables: readonly CountedTable[]): void {
    if (this.isTrusted) return;
    for (const table of tables) {
      if (this.looked.has(table)) continue;
      this.looked.add(table);
      const missing = missingRecords(this.database, table);
      if (missing === undefined) continue;
      this.damagedTables.add(table);
      this.source.expected.expect();
      this.source.onDamage({ message: missingText(this.path, table, missing) });
    }
  }

  private nodeEnds(row: RowId): readonly NodeEndColumns[] {
    const ends = this.selectNodes.all(row.line, row.repeat) as unknown as readonly NodeEndColumns[];
    const nodes = ends.map(([, , node]) => node);
    if (ends.every(isNodeEndSound) && this.source.expected.areFound(row, nodes)) return ends;
    throw rowDamage(this.path, row, recordDamaged);
  }

  private number(sql: string): number {
    return (this.database.prepare(sql).get() as { readonly n: number }).n;
  }

  private rowRun(end: RowEndColumns): RowRun {
    const [line, repeat] = end;
    if (!isRowEndSound(end)) throw rowDamage(this.path, { line, repeat }, recordDamaged);
    return this.ofRow({ line, repeat }, () => {
      const payload = parsePayload(this.segments.read(rowEndPlace(end)));
      let ofNodes: ReadonlyMap<number, NodeEndColumns> | undefined;
      const reader = new PayloadReader((node) => {
        ofNodes ??= new Map(this.nodeEnds({ line, repeat }).map((one) => [one[2], one]));
        const found = ofNodes.get(node);
        const read = found === undefined ? undefined : parsePayload(this.segments.read(nodeEndPlace(found)));
        return this.payloadOf(read, { line, repeat });
      });
      return rowRun(end, payload, reader);
    });
  }

  private payloadOf(payload: Payload | undefined, row: RowId): Payload {
    if (payload === undefined) throw rowDamage(this.path, row, recordDamaged);
    return payload;
  }

  /** Names the row that cannot be read. */
  private ofRow<T>(row: RowId, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof RunDamageError) || error.row !== undefined) throw error;
      throw rowDamage(this.path, row, error.message);
    }
  }

  private orLeftOut<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof RunDamageError)) throw error;
      this.source.onDamage(error);
      return undefined;
    }
  }
}
