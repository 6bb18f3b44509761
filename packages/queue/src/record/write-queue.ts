import type { JsonValue, NodeRun, RowRun } from '@unroll/engine';
import type { Transaction } from '../database/database.ts';

export type Appended =
  | { readonly node: NodeRun }
  | { readonly row: RowRun }
  | { readonly metrics: Readonly<Record<string, JsonValue>> };

/** What one transaction commits. */
export interface WriteGroup extends PromiseWithResolvers<void> {
  readonly records: Appended[];
  /** Carried out in the transaction of the group, after its records, one after the other. */
  readonly works: ((transaction: Transaction) => Promise<void>)[];
  /** Somebody waits for it: it gathers no longer. */
  isAwaited: boolean;
}

/** Records of one commit at most. */
const groupSize = 1024;

/** Records that wait to be committed, in groups and in their order. */
export class WriteQueue {
  private readonly gatherMs: number;
  private readonly waiting: WriteGroup[] = [];
  private newest: WriteGroup | undefined;
  private hurry: () => void = () => undefined;

  /** @param gatherMs for which a group gathers before it is given out, unless it is full or awaited */
  constructor(gatherMs: number) {
    this.gatherMs = gatherMs;
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** Adds to the last group, where it takes more. */
  add(records: readonly Appended[]): WriteGroup {
    const group = this.last();
    group.records.push(...records);
    if (isReady(group)) this.hurry();
    return group;
  }

  /** Adds what is carried out with everything that was added before it. */
  addWork(work: (transaction: Transaction) => Promise<void>): WriteGroup {
    const group = this.last();
    group.works.push(work);
    group.isAwaited = true;
    this.hurry();
    return group;
  }

  /** Resolves once everything that was added is committed. @throws what kept the last of it from being */
  async committed(): Promise<void> {
    if (this.newest === undefined) return;
    this.newest.isAwaited = true;
    this.hurry();
    await this.newest.promise;
  }

  /** The next group, once it has gathered. */
  async next(): Promise<WriteGroup | undefined> {
    // What is appended at the same moment belongs to the same group.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.gatherMs > 0 && !this.waiting.some(isReady)) await this.gathered();
    return this.waiting.shift();
  }

  /** Those that wait are never committed. */
  rejectAll(error: Error): void {
    for (const group of this.waiting.splice(0)) group.reject(error);
  }

  private async gathered(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.gatherMs);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private last(): WriteGroup {
    const last = this.waiting.at(-1);
    if (last !== undefined && last.records.length < groupSize) return last;
    const group: WriteGroup = { ...Promise.withResolvers<void>(), records: [], works: [], isAwaited: false };
    group.promise.catch(() => {});
    this.waiting.push(group);
    this.newest = group;
    return group;
  }
}

function isReady({ records, isAwaited }: WriteGroup): boolean {
  return isAwaited || records.length >= groupSize;
}
