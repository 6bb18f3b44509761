import type { Database, Transaction } from '../database/database.ts';
import { persistently } from '../database/persistently.ts';
import { KnownNodes } from './known-nodes.ts';
import { type EncodedNode, type EncodedRow, OpenRows } from './open-rows.ts';
import { type RowPlace, rowKey } from './stored-records.ts';
import { addNodeNames, type StoredRun } from './stored-run.ts';
import { type EncodedGroup, writeGroup } from './write-group.ts';
import { type Appended, type WriteGroup, WriteQueue } from './write-queue.ts';

/**
 * Asked inside every transaction that writes, before anything is written: throws where what this process works on was given to
 * another one. Best it locks what it looks at (`FOR SHARE`), so that nothing is given away until the commit.
 */
export type Fence = (transaction: Transaction) => Promise<void>;

export interface WriterSettings {
  readonly fence?: Fence | undefined;
  /** Milliseconds for which a connection that is lost is tried again; 60 seconds where absent. */
  readonly retryForMs?: number | undefined;
  /** Told why a commit is made again. */
  readonly onRetry?: ((error: unknown) => void) | undefined;
  /** Milliseconds for which records gather before they are committed, unless somebody waits for them; 0 where absent. */
  readonly gatherMs?: number | undefined;
  /** Shared with other logs of the run in this process. */
  readonly known?: KnownNodes | undefined;
}

/**
 * Appends records in groups, one transaction a group, in their order: while one is committed the next one gathers. A commit of
 * which nobody knows whether it came through is made again, which changes nothing where it did.
 */
export class RunWriter {
  private readonly database: Database;
  private readonly run: StoredRun;
  private readonly fence: Fence;
  private readonly retryForMs: number | undefined;
  private readonly onRetry: WriterSettings['onRetry'];
  private readonly known: KnownNodes;
  private readonly open = new OpenRows();
  private readonly queue: WriteQueue;
  private writing: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(database: Database, run: StoredRun, settings: WriterSettings) {
    const { fence = async () => {}, retryForMs, onRetry, gatherMs = 0, known = new KnownNodes() } = settings;
    this.database = database;
    this.run = run;
    this.fence = fence;
    this.retryForMs = retryForMs;
    this.onRetry = onRetry;
    this.queue = new WriteQueue(gatherMs);
    this.known = known;
  }

  async append(records: readonly Appended[]): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const group = this.queue.add(records);
    this.writeSoon();
    await group.promise;
  }

  /** Commits what was appended so far and what `work` does together. */
  async commitWith(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    const group = this.queue.addWork(work);
    this.writeSoon();
    await group.promise;
  }

  /** Waits until all that was appended is committed. @throws what kept it from being */
  async flush(): Promise<void> {
    await this.queue.committed();
    if (this.failure !== undefined) throw this.failure;
  }

  /** A transaction of its own, after all that was appended; made again where the connection is lost. */
  async alone(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    await this.flush();
    await this.persistently(() => this.fenced(work));
  }

  /** After records were taken back. */
  forgetAll(): void {
    this.open.forgetAll();
  }

  private writeSoon(): void {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
      // Appended after the last look and before now.
      if (!this.queue.isEmpty) this.writeSoon();
    });
  }

  private async writeAll(): Promise<void> {
    while (!this.queue.isEmpty) {
      const group = await this.queue.next();
      if (group === undefined) return;
      try {
        await this.write(group);
        group.resolve();
      } catch (error) {
        this.fail(error, group);
      }
    }
  }

  private fail(error: unknown, group: WriteGroup): void {
    const failure = this.database.failureOf(error);
    this.failure = failure instanceof Error ? failure : new Error(String(failure));
    group.reject(this.failure);
    this.queue.rejectAll(this.failure);
  }

  private async write(group: WriteGroup): Promise<void> {
    await this.nameNodes(group);
    const nodes = group.records.flatMap((record) => ('node' in record ? [record.node] : []));
    const encoded = group.records.map((record) => this.encode(record));
    const reads = this.known.unrecordedReads(nodes);
    for (;;) {
      try {
        const commit = (): Promise<void> =>
          this.fenced((transaction) => this.writeEncoded(transaction, group, encoded, reads));
        await this.persistently(commit);
        this.known.readsRecorded(nodes);
        return;
      } catch (error) {
        if (!(error instanceof OvertakenError)) throw error;
        this.encodeWhole(group.records, encoded, error.rows);
      }
    }
  }

  /** Writes what is recorded of these rows anew, so that it refers to no record. */
  private encodeWhole(
    records: readonly Appended[],
    encoded: (EncodedNode | EncodedRow | undefined)[],
    rows: readonly RowPlace[],
  ): void {
    for (const { line, repeat } of rows) this.open.goOn(line, repeat);
    const late = new Set(rows.map(({ line, repeat }) => rowKey(line, repeat)));
    for (const [at, record] of records.entries()) {
      const key = keyOf(record);
      if (key !== undefined && late.has(key)) encoded[at] = this.encode(record);
    }
  }

  private async writeEncoded(
    transaction: Transaction,
    { records, works }: WriteGroup,
    encoded: readonly (EncodedNode | EncodedRow | undefined)[],
    nodeReads: EncodedGroup['nodeReads'],
  ): Promise<void> {
    const nodes = encoded.filter((one) => one !== undefined && 'run' in one);
    const rows = encoded.filter((one) => one !== undefined && 'row' in one);
    const group: EncodedGroup = {
      nodes,
      rows,
      metrics: records.flatMap((record) => ('metrics' in record ? [record.metrics] : [])),
      nodeReads,
    };
    const late = await writeGroup(transaction, this.run.number, group);
    const relying = new Set(
      [
        ...nodes.map((one) => ({ ...one.run, isWhole: one.isWhole })),
        ...rows.map((one) => ({ ...one.row, isWhole: one.isWhole })),
      ]
        .filter(({ isWhole }) => !isWhole)
        .map(({ line, repeat = 0 }) => rowKey(line, repeat)),
    );
    const overtaken = late.filter(({ line, repeat }) => relying.has(rowKey(line, repeat)));
    if (overtaken.length > 0) throw new OvertakenError(overtaken);
    for (const work of works) await work(transaction);
  }

  private encode(record: Appended): EncodedNode | EncodedRow | undefined {
    if ('node' in record) {
      return this.open.encodeNode(record.node, this.known.idOf(record.node));
    }
    return 'row' in record ? this.open.encodeRow(record.row) : undefined;
  }

  private async nameNodes({ records }: WriteGroup): Promise<void> {
    const nodes = records.flatMap((record) => ('node' in record ? [record.node] : []));
    if (this.known.hasIds(nodes)) return;
    const named = nodes.map(({ node, kind }) => ({ name: node, kind }));
    const { number } = this.run;
    await this.persistently(async () => {
      await this.known.readIds(this.database, number);
      if (this.known.hasIds(nodes)) return;
      await this.fenced((transaction) => addNodeNames(transaction, number, named));
      await this.known.readIds(this.database, number);
    });
  }

  private async fenced(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.fence(transaction);
      await work(transaction);
    });
  }

  private async persistently(work: () => Promise<void>): Promise<void> {
    await persistently(work, this.retryForMs, this.onRetry);
  }
}

/** Another process recorded nodes of these rows first: what this one wrote of them must not refer to its own. */
class OvertakenError extends Error {
  readonly rows: readonly RowPlace[];
  constructor(rows: readonly RowPlace[]) {
    super('another process recorded these rows');
    this.rows = rows;
  }
}

function keyOf(record: Appended): number | undefined {
  if ('metrics' in record) return undefined;
  const { line, repeat = 0 } = 'node' in record ? record.node : record.row;
  return rowKey(line, repeat);
}
