import type { DatabaseSync } from 'node:sqlite';
import { type JsonValue, stringifyJson } from '../value/json.ts';
import { endChecksum, entryChecksum, rowDigestsChecksum } from './checksums.ts';
import { encodeNode, encodeRow } from './encode-record.ts';
import { KeptReads, readKeptReads } from './kept-reads.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { OpenRows } from './open-rows.ts';
import { renewedDigests } from './renew-digests.ts';
import { rowNumber, stringifyNodeDigests, stringifyRowDigests } from './row-digests.ts';
import { RunFileReader } from './run-file-reader.ts';
import type { RunInfo } from './run-info.ts';
import type { RunLog } from './run-log.ts';
import { SegmentWriter } from './segments.ts';
import { statusNumber } from './status-number.ts';
import { TableTotals } from './table-totals.ts';
import { addNodeName, nodeKey, prepareStatements, type StoredNodeEnd, type StoredRowEnd } from './write-statements.ts';

/** What is put into a record file. */
export type Appended =
  | { readonly node: NodeRun }
  | { readonly row: RowRun }
  | { readonly metrics: Readonly<Record<string, JsonValue>> };

/** Puts records into the tables of a record file with all that is kept beside them: payloads, digests, checksums and totals. */
export class RecordTables {
  private readonly path: string;
  private readonly database: DatabaseSync;
  private readonly statements: ReturnType<typeof prepareStatements>;
  private readonly segments: SegmentWriter;
  private readonly totals: TableTotals;
  private readonly open: OpenRows;
  private readonly reads: KeptReads;
  private readonly ids = new Map<string, number>();
  /** Numbers of rows another process began, or that got a record after their end: their digests are worked out again. */
  private readonly goneOn = new Set<number>();

  /** @param nextLine rows from here on are new */
  constructor(path: string, database: DatabaseSync, nextLine: number) {
    this.path = path;
    this.database = database;
    this.statements = prepareStatements(database);
    this.segments = new SegmentWriter(database);
    this.totals = new TableTotals(database);
    this.reads = new KeptReads(readKeptReads(database, path));
    const { isRecorded } = this.statements;
    this.open = new OpenRows((line, repeat) => isRecorded.get(line, repeat, line, repeat) !== undefined, nextLine);
    for (const { id, name, kind } of database.prepare('SELECT id, name, kind FROM nodes').all()) {
      this.ids.set(nodeKey(String(name), String(kind)), Number(id));
    }
  }

  /** Begins a transaction, in which all else is done. */
  begin(): void {
    this.statements.begin.run();
  }

  commit(): void {
    if (this.reads.write(this.database)) this.totals.countAnew('meta');
    this.segments.keep();
    if (this.goneOn.size > 0) this.renewDigests();
    this.totals.keep();
    this.statements.commit.run();
  }

  /** Compresses what is not yet. */
  close(): void {
    this.segments.close();
  }

  reopen(rows: Parameters<RunLog['reopen']>[0], nodes: RunInfo['nodes']): void {
    const reader = new RunFileReader(this.database, this.path, { isTrusted: true });
    for (const { line, repeat = 0, isAnew = false } of rows) {
      this.statements.removeRow.run(line, repeat);
      this.statements.removeDigests.run(rowNumber(line, repeat));
      const inexact = reader.nodes(line, repeat).filter((run) => run.inexact !== undefined);
      this.statements[isAnew ? 'removeNodes' : 'removeEnded'].run(line, repeat);
      for (const { node } of inexact) this.statements.removeInexact.run(line, repeat, node);
      this.open.end(line, repeat);
    }
    for (const { name, aggregation } of nodes) if (aggregation === true) this.statements.removeNode.run(name);
    this.statements.removeMetrics.run();
    for (const table of ['node_ends', 'row_ends', 'row_digests', 'metrics'] as const) this.totals.countAnew(table);
  }

  add(record: Appended): void {
    if ('node' in record) this.addNode(record.node);
    else if ('row' in record) this.addRow(record.row);
    else {
      for (const [name, value] of Object.entries(record.metrics)) {
        const text = stringifyJson(value);
        this.statements.addMetric.run(name, text, entryChecksum('metrics', name, text));
      }
      this.totals.countAnew('metrics');
    }
  }

  /** Once the payloads are in the file. */
  private renewDigests(): void {
    const renewed = renewedDigests(this.database, this.path, this.goneOn, (run) => this.idOf(run));
    for (const { number, digits, checksum } of renewed) {
      const before = this.statements.findDigests.get(number) as { readonly checksum: number } | undefined;
      this.statements.renewDigests.run(number, digits, checksum);
      if (before === undefined) this.totals.addRowDigests(number, checksum);
      else this.totals.replaceRowDigests(before.checksum, checksum);
    }
    this.goneOn.clear();
  }

  private addNode(run: NodeRun): void {
    const { line, repeat = 0, startedAt = null, durationMs = null, fingerprint = null, usage } = run;
    if (fingerprint !== null && fingerprint.length !== 32) throw new Error(`bug: fingerprint ${fingerprint}`);
    this.reads.add(run);
    const id = this.idOf(run);
    const known = this.open.of(line, repeat);
    if (known?.digests.has(id) === true) return;
    const { text, outputHash, inputsHash } = encodeNode(run, id, known);
    const status = statusNumber(run.status);
    if (known === undefined) this.goneOn.add(rowNumber(line, repeat));
    else known.digests.set(id, stringifyNodeDigests(id, { status, outputHash, inputsHash, fingerprint }));
    const { place, size } = this.segments.add(text);
    const { promptTokens = null, completionTokens = null } = usage ?? {};
    const tokens = [promptTokens, completionTokens] as const;
    const end: StoredNodeEnd = [line, repeat, id, status, startedAt, durationMs, ...tokens, place, size];
    const checksum = endChecksum('node_ends', end);
    const { changes } = this.statements.addNode.run(...end, checksum);
    if (changes !== 0) this.totals.addNodeEnd(end, checksum);
  }

  private addRow(row: RowRun): void {
    const { line, repeat = 0, startedAt, durationMs, unfinished = [] } = row;
    const known = this.open.of(line, repeat);
    const { text, outputHash, inputsHash } = encodeRow(row, known);
    this.open.end(line, repeat);
    const status = statusNumber(row.status);
    const number = rowNumber(line, repeat);
    if (known === undefined) this.goneOn.add(number);
    else {
      const head = { status, inputsHash, outputsHash: outputHash };
      const digits = stringifyRowDigests(head, known.digests);
      const checksum = rowDigestsChecksum(digits);
      this.statements.addDigests.run(number, digits, checksum);
      this.totals.addRowDigests(number, checksum);
    }
    const { place, size } = this.segments.add(text);
    const end: StoredRowEnd = [line, repeat, status, startedAt, durationMs, unfinished.length, place, size];
    const checksum = endChecksum('row_ends', end);
    const { changes } = this.statements.addRow.run(...end, checksum);
    if (changes !== 0) this.totals.addRowEnd(end, checksum);
  }

  private idOf({ node, kind }: NodeRun): number {
    const key = nodeKey(node, kind);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = addNodeName(this.database, node, kind);
    this.totals.countAnew('nodes');
    this.ids.set(key, id);
    return id;
  }
}
