import type { DatabaseSync } from 'node:sqlite';
import type { JsonValue } from '../value/json.ts';
import { FilePlace } from './file-place.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { type Appended, RecordTables } from './record-tables.ts';
import { runFileError } from './run-file-error.ts';
import type { RunInfo } from './run-info.ts';
import type { RunLog } from './run-log.ts';
import type { WriteOptions } from './sqlite-driver.ts';

/**
 * A group of records is committed when it holds so many, and else as soon as the event loop comes round, but not sooner
 * than 2 ms after the last commit, and not sooner than 10 ms where many records come: what a process that is killed can lose
 * is what ended in its last moment.
 */
const groupSize = 1024;
const apartMs = 2;
const apartWhenBusyMs = 10;
const few = 32;

/** Appends records in groups: one transaction a group, one promise for all that wait for it. */
export class RunFileWriter {
  private readonly path: string;
  private readonly database: DatabaseSync;
  private readonly tables: RecordTables;
  private group: Group | undefined;
  private failure: Error | undefined;
  private committedAt = Number.NEGATIVE_INFINITY;
  private readonly place: FilePlace;
  private readonly commitEveryMs: number | undefined;

  /** @param nextLine rows from here on are new */
  constructor(path: string, database: DatabaseSync, nextLine: number, { commitEveryMs }: WriteOptions) {
    this.path = path;
    this.commitEveryMs = commitEveryMs;
    this.place = new FilePlace(path);
    this.database = database;
    this.tables = new RecordTables(path, database, nextLine);
  }

  append(nodes: readonly NodeRun[], row: RowRun | undefined): Promise<void> {
    const group = this.openGroup();
    for (const node of nodes) group.records.push({ node });
    if (row !== undefined) group.records.push({ row });
    return this.committed(group);
  }

  appendMetrics(metrics: Readonly<Record<string, JsonValue>>): Promise<void> {
    const group = this.openGroup();
    group.records.push({ metrics });
    return this.committed(group);
  }

  reopen(rows: Parameters<RunLog['reopen']>[0], { nodes }: RunInfo): void {
    // What gives the rows may read the file, which commits what waits.
    const reopened = [...rows];
    this.commit();
    this.openGroup();
    this.commit(() => this.tables.reopen(reopened, nodes));
  }

  /** Writes what was appended so far, and commits it. */
  commit(work?: () => void): void {
    const { group } = this;
    if (group === undefined) return;
    try {
      this.tables.begin();
      for (const record of group.records) this.tables.add(record);
      work?.();
      this.tables.commit();
      this.place.look();
    } catch (error) {
      throw this.fail(error);
    }
    this.end(group);
    group.resolve();
  }

  ensureKept(): void {
    if (this.failure !== undefined) throw this.failure;
    this.commit();
    try {
      this.place.lookNow();
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Commits, and compresses what is not yet. */
  close(): void {
    if (this.failure !== undefined) return;
    this.openGroup();
    this.commit(() => this.tables.close());
  }

  /** The records that wait for the next commit: they are written together, which costs less than one by one. */
  private openGroup(): Group {
    if (this.failure !== undefined) throw this.failure;
    if (this.group !== undefined) return this.group;
    const waitMs = this.committedAt + (this.commitEveryMs ?? apartMs) - performance.now();
    const commit = (): void => this.commitLater();
    const timer = waitMs > 0 ? setTimeout(commit, waitMs) : setImmediate(commit);
    this.group = { ...Promise.withResolvers<void>(), records: [], timer };
    this.group.promise.catch(() => {});
    return this.group;
  }

  /** Resolves when the group is committed; where it is full that is at once. */
  private committed({ records, promise }: Group): Promise<void> {
    if (records.length >= groupSize) this.commit();
    return promise;
  }

  /** A failure is met by all that wait for the group and by the next append. */
  private commitLater(): void {
    const { group } = this;
    const waitMs = this.committedAt + apartWhenBusyMs - performance.now();
    if (group !== undefined && group.records.length > few && waitMs > 0) {
      group.timer = setTimeout(() => this.commitLater(), waitMs);
      return;
    }
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
}

interface Group extends PromiseWithResolvers<void> {
  readonly records: Appended[];
  timer: NodeJS.Timeout | NodeJS.Immediate;
}
