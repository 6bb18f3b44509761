import type { JsonValue, NodeRun, RowRun } from '@unroll/engine';
import { joinFingerprintInputs } from '@unroll/engine/record-format';
import type { Database, Transaction } from '../database/database.ts';
import { persistently } from '../database/persistently.ts';
import { type EncodedNode, type EncodedRow, OpenRows } from './open-rows.ts';
import { type RowPlace, rowKey } from './stored-records.ts';
import { addNodeNames, readNodeNames, type StoredRun } from './stored-run.ts';
import { type EncodedGroup, writeGroup } from './write-group.ts';

/**
 * Asked inside every transaction that writes, before anything is written: throws where what this process works on was given to
 * another one. Best it locks what it looks at (`FOR SHARE`), so that nothing is given away until the commit.
 */
export type Fence = (transaction: Transaction) => Promise<void>;

export interface WriterSettings {
  readonly fence?: Fence | undefined;
  /** Milliseconds for which a connection that is lost is tried again; 60 seconds where absent. */
  readonly retryForMs?: number | undefined;
}

/** Records of one commit at most. */
const groupSize = 1024;
const defaultRetryMs = 60_000;

export type Appended =
  | { readonly node: NodeRun }
  | { readonly row: RowRun }
  | { readonly metrics: Readonly<Record<string, JsonValue>> };

interface Group extends PromiseWithResolvers<void> {
  readonly records: Appended[];
  /** Carried out in the transaction of the group. */
  work?: (transaction: Transaction) => Promise<void>;
}

/**
 * Appends records in groups, one transaction a group, in their order: while one is committed the next one gathers. A commit of
 * which nobody knows whether it came through is made again, which changes nothing where it did.
 */
export class RunWriter {
  private readonly database: Database;
  private readonly run: StoredRun;
  private readonly fence: Fence;
  private readonly retryForMs: number;
  private readonly open = new OpenRows();
  private readonly waiting: Group[] = [];
  private ids: ReadonlyMap<string, number> = new Map();
  private readonly lastReads = new Map<string, NodeRun['reads']>();
  private writing: Promise<void> | undefined;
  private failure: Error | undefined;

  constructor(database: Database, run: StoredRun, { fence, retryForMs = defaultRetryMs }: WriterSettings) {
    this.database = database;
    this.run = run;
    this.fence = fence ?? (async () => {});
    this.retryForMs = retryForMs;
  }

  async append(records: readonly Appended[]): Promise<void> {
    const group = this.gathering();
    group.records.push(...records);
    this.writeSoon();
    await group.promise;
  }

  /** Commits what was appended so far and what `work` does together. */
  async commitWith(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    const group = this.gathering();
    group.work = work;
    this.writeSoon();
    await group.promise;
  }

  /** Waits until all that was appended is committed. @throws what kept it from being */
  async flush(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
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

  private gathering(): Group {
    if (this.failure !== undefined) throw this.failure;
    const last = this.waiting.at(-1);
    if (last !== undefined && last.work === undefined && last.records.length < groupSize) return last;
    const group: Group = { ...Promise.withResolvers<void>(), records: [] };
    group.promise.catch(() => {});
    this.waiting.push(group);
    return group;
  }

  private writeSoon(): void {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
      // Appended after the last look and before now.
      if (this.waiting.length > 0) this.writeSoon();
    });
  }

  private async writeAll(): Promise<void> {
    // What is appended at the same moment belongs to the first group.
    await new Promise((resolve) => setImmediate(resolve));
    for (let group = this.waiting.shift(); group !== undefined; group = this.waiting.shift()) {
      try {
        await this.write(group);
        group.resolve();
      } catch (error) {
        this.fail(error, group);
      }
    }
  }

  private fail(error: unknown, group: Group): void {
    const told = this.database.failureOf(error);
    this.failure = told instanceof Error ? told : new Error(String(told));
    for (const one of [group, ...this.waiting.splice(0)]) one.reject(this.failure);
  }

  private async write(group: Group): Promise<void> {
    await this.nameNodes(group);
    const encoded = group.records.map((record) => this.encode(record));
    for (;;) {
      try {
        await this.persistently(() => this.fenced((transaction) => this.writeEncoded(transaction, group, encoded)));
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
    { records, work }: Group,
    encoded: readonly (EncodedNode | EncodedRow | undefined)[],
  ): Promise<void> {
    const nodes = encoded.filter((one) => one !== undefined && 'run' in one);
    const rows = encoded.filter((one) => one !== undefined && 'row' in one);
    const group: EncodedGroup = {
      nodes,
      rows,
      metrics: records.flatMap((record) => ('metrics' in record ? [record.metrics] : [])),
      nodeReads: this.readsOf(nodes),
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
    await work?.(transaction);
  }

  private encode(record: Appended): EncodedNode | EncodedRow | undefined {
    if ('node' in record) {
      const id = this.ids.get(nodeKey(record.node));
      if (id === undefined) throw new Error(`bug: no id for node ${record.node.node}`);
      return this.open.encodeNode(record.node, id);
    }
    return 'row' in record ? this.open.encodeRow(record.row) : undefined;
  }

  /** Records of a node mostly carry the same object. */
  private readsOf(nodes: readonly EncodedNode[]): EncodedGroup['nodeReads'] {
    const told: Record<string, NonNullable<NodeRun['reads']>> = {};
    for (const { run } of nodes) {
      const { node, reads } = run;
      if (reads === undefined || this.lastReads.get(node) === reads) continue;
      this.lastReads.set(node, reads);
      told[node] = joinFingerprintInputs(told[node] ?? {}, reads);
    }
    return told;
  }

  private async nameNodes({ records }: Group): Promise<void> {
    const nodes = records.flatMap((record) => ('node' in record ? [record.node] : []));
    if (nodes.every((node) => this.ids.has(nodeKey(node)))) return;
    const named = nodes.map(({ node, kind }) => ({ name: node, kind }));
    const { number } = this.run;
    await this.persistently(async () => {
      const known = await readNodeNames(this.database, this.database.schema, number);
      this.ids = new Map([...known].map(([id, { name, kind }]) => [nodeKey({ node: name, kind }), id]));
      if (nodes.every((node) => this.ids.has(nodeKey(node)))) return;
      await this.fenced((transaction) => addNodeNames(transaction, number, named));
      const all = await readNodeNames(this.database, this.database.schema, number);
      this.ids = new Map([...all].map(([id, { name, kind }]) => [nodeKey({ node: name, kind }), id]));
    });
  }

  private async fenced(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await this.fence(transaction);
      await work(transaction);
    });
  }

  private async persistently(work: () => Promise<void>): Promise<void> {
    await persistently(work, this.retryForMs);
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

function nodeKey({ node, kind }: Pick<NodeRun, 'node' | 'kind'>): string {
  return `${node}\n${kind}`;
}

function keyOf(record: Appended): number | undefined {
  if ('metrics' in record) return undefined;
  const { line, repeat = 0 } = 'node' in record ? record.node : record.row;
  return rowKey(line, repeat);
}
