import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { printJson, type Value } from '../value/json.ts';
import { encodeNode, encodeRow } from './encode-record.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { OpenRows } from './open-rows.ts';
import { runFileError } from './run-file-error.ts';
import type { RunInfo, RunStore } from './run-store.ts';
import { SegmentWriter } from './segments.ts';
import { statusNumber } from './status-number.ts';

/**
 * A group of records is committed when it holds so many, and else as soon as the event loop comes round, but not sooner
 * than this after the last commit: what a process that is killed can lose is what ended in its last moment.
 */
const groupSize = 1024;
const apartMs = 2;

/** Appends records in groups: one transaction a group, one promise for all that wait for it. */
export class RunFileWriter {
  private readonly path: string;
  private readonly database: DatabaseSync;
  private readonly statements: ReturnType<typeof prepareStatements>;
  private readonly segments: SegmentWriter;
  private readonly open: OpenRows;
  private readonly ids = new Map<string, number>();
  private group: Group | undefined;
  private failure: Error | undefined;
  private committedAt = 0;

  /** @param nextLine rows from here on are new */
  constructor(path: string, database: DatabaseSync, nextLine: number) {
    this.path = path;
    this.database = database;
    this.statements = prepareStatements(database);
    this.segments = new SegmentWriter(database);
    const { isRecorded } = this.statements;
    this.open = new OpenRows((line, repeat) => isRecorded.get(line, repeat, line, repeat) !== undefined, nextLine);
    for (const { id, name, kind } of database.prepare('SELECT id, name, kind FROM nodes').all()) {
      this.ids.set(nodeKey(String(name), String(kind)), Number(id));
    }
  }

  append(nodes: readonly NodeRun[], row: RowRun | undefined): void | Promise<void> {
    return this.write(nodes.length + (row === undefined ? 0 : 1), () => {
      for (const node of nodes) this.addNode(node);
      if (row !== undefined) this.addRow(row);
    });
  }

  appendMetrics(metrics: Readonly<Record<string, Value>>): void | Promise<void> {
    return this.write(1, () => {
      for (const [name, value] of Object.entries(metrics)) this.statements.addMetric.run(name, printJson(value));
    });
  }

  reopen(rows: Parameters<RunStore['reopen']>[0], { nodes }: RunInfo): void {
    this.commit();
    void this.write(0, () => {
      for (const { line, repeat = 0 } of rows) {
        this.statements.removeRow.run(line, repeat);
        this.statements.removeEnded.run(line, repeat);
        this.open.end(line, repeat);
      }
      for (const { name, aggregation } of nodes) if (aggregation === true) this.statements.removeNode.run(name);
      this.statements.removeMetrics.run();
    });
    this.commit();
  }

  /** Commits what was appended so far. */
  commit(): void {
    const { group } = this;
    if (group === undefined) return;
    try {
      this.segments.keep();
      this.statements.commit.run();
    } catch (error) {
      throw this.fail(error);
    }
    this.end(group);
    group.resolve();
  }

  /** Commits, and compresses what is not yet. */
  close(): void {
    if (this.failure !== undefined) return;
    void this.write(0, () => this.segments.close());
    this.commit();
  }

  private write(count: number, work: () => void): void | Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const group = this.group ?? this.begin();
    try {
      work();
    } catch (error) {
      throw this.fail(error);
    }
    group.count += count;
    if (group.count < groupSize) return group.promise;
    this.commit();
    return undefined;
  }

  private begin(): Group {
    try {
      this.statements.begin.run();
    } catch (error) {
      throw this.fail(error);
    }
    const waitMs = this.committedAt + apartMs - performance.now();
    const commit = (): void => this.commitLater();
    const timer = waitMs > 0 ? setTimeout(commit, waitMs) : setImmediate(commit);
    this.group = { ...Promise.withResolvers<void>(), count: 0, timer };
    this.group.promise.catch(() => {});
    return this.group;
  }

  /** A failure is met by all that wait for the group and by the next append. */
  private commitLater(): void {
    try {
      this.commit();
    } catch (error) {
      if (error !== this.failure) throw error;
    }
  }

  private fail(error: unknown): Error {
    const failure = runFileError('write', this.path, error);
    this.failure = failure;
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
    const { group } = this;
    if (group !== undefined) {
      this.end(group);
      group.reject(failure);
    }
    return failure;
  }

  private end({ timer }: Group): void {
    timer[Symbol.dispose]();
    this.group = undefined;
    this.committedAt = performance.now();
  }

  private addNode(run: NodeRun): void {
    const { line, repeat = 0, startedAt = null, durationMs = null, fingerprint = null, usage } = run;
    if (fingerprint !== null && !/^[0-9a-f]{32}$/.test(fingerprint)) throw new Error(`bug: fingerprint ${fingerprint}`);
    const id = this.idOf(run);
    const known = this.open.of(line, repeat);
    if (known?.begin(id) === false) return;
    const { text, outputHash, inputsHash } = encodeNode(run, id, known);
    const { place, size } = this.segments.add(text);
    const { promptTokens = null, completionTokens = null } = usage ?? {};
    const tokens = [promptTokens, completionTokens] as const;
    const hashes = [outputHash, inputsHash, fingerprint] as const;
    const status = statusNumber(run.status);
    this.statements.addNode.run(line, repeat, id, status, startedAt, durationMs, ...hashes, ...tokens, place, size);
  }

  private addRow(row: RowRun): void {
    const { line, repeat = 0, startedAt, durationMs, unfinished = [] } = row;
    const { text, outputHash, inputsHash } = encodeRow(row, this.open.of(line, repeat));
    this.open.end(line, repeat);
    const { place, size } = this.segments.add(text);
    const status = statusNumber(row.status);
    const times = [startedAt, durationMs, unfinished.length] as const;
    this.statements.addRow.run(line, repeat, status, ...times, inputsHash, outputHash, place, size);
  }

  private idOf({ node, kind }: NodeRun): number {
    const key = nodeKey(node, kind);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    this.statements.addName.run(node, kind);
    const { id } = this.statements.findName.get(node, kind) as { id: number };
    this.ids.set(key, id);
    return id;
  }
}

interface Group extends PromiseWithResolvers<void> {
  count: number;
  readonly timer: NodeJS.Timeout | NodeJS.Immediate;
}

function nodeKey(name: string, kind: string): string {
  return `${name}\n${kind}`;
}

function prepareStatements(database: DatabaseSync): Record<Statement, StatementSync> {
  const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)]);
  return Object.fromEntries(prepared) as Record<Statement, StatementSync>;
}

type Statement = keyof typeof statements;

const statements = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  addNode: `INSERT OR IGNORE INTO node_ends (line, repeat, node, status, started_at, duration_ms, output_hash, inputs_hash,
    fingerprint, prompt_tokens, completion_tokens, place, size)
    VALUES (?, ?, ?, ?, ?, ?, unhex(?), unhex(?), unhex(?), ?, ?, ?, ?)`,
  addRow: `INSERT OR IGNORE INTO row_ends (line, repeat, status, started_at, duration_ms, unfinished, inputs_hash,
    outputs_hash, place, size) VALUES (?, ?, ?, ?, ?, ?, unhex(?), unhex(?), ?, ?)`,
  addMetric: 'INSERT OR REPLACE INTO metrics (name, value) VALUES (?, ?)',
  addName: 'INSERT OR IGNORE INTO nodes (name, kind) VALUES (?, ?)',
  findName: 'SELECT id FROM nodes WHERE name = ? AND kind = ?',
  removeRow: 'DELETE FROM row_ends WHERE line = ? AND repeat = ?',
  removeEnded: 'DELETE FROM node_ends WHERE line = ? AND repeat = ? AND status <> 0',
  removeNode: 'DELETE FROM node_ends WHERE node IN (SELECT id FROM nodes WHERE name = ?)',
  removeMetrics: 'DELETE FROM metrics',
  isRecorded: `SELECT 1 FROM node_ends WHERE line = ? AND repeat = ?
    UNION ALL SELECT 1 FROM row_ends WHERE line = ? AND repeat = ? LIMIT 1`,
} as const;
