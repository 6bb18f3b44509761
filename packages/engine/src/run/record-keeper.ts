import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { RunStore } from '../record/run-store.ts';

/** Rows that may wait to be kept while others run. */
const mostWaiting = 1024;

/**
 * Hands records to a store without making rows wait for it, and tells when a row is kept. The first record that cannot be
 * kept ends the run: what is not recorded would be lost.
 */
export class RecordKeeper {
  private readonly store: RunStore;
  private last: Promise<void> | undefined;
  private newest: Promise<void> | undefined;
  private waiting = 0;
  private failed: { readonly error: unknown } | undefined;

  constructor(store: RunStore) {
    this.store = store;
  }

  get failure(): { readonly error: unknown } | undefined {
    return this.failed;
  }

  /** A node that ended while its row goes on. */
  node(run: NodeRun): void {
    const kept = this.append([run]);
    if (kept === undefined || kept === this.last) return;
    this.last = kept;
    kept.catch((error: unknown) => this.fail(error));
  }

  /**
   * A row that ended, with those of its nodes that are not recorded yet.
   *
   * @param onKept called once it is durable
   * @returns a promise when the caller should wait before it hands over more
   */
  row(nodes: readonly NodeRun[], row: RowRun, onKept: () => void): Promise<void> | undefined {
    const kept = this.append(nodes, row);
    if (kept === undefined) {
      if (this.failed === undefined) onKept();
      return undefined;
    }
    this.waiting += 1;
    this.newest = kept.then(
      () => {
        this.waiting -= 1;
        onKept();
      },
      (error: unknown) => this.fail(error),
    );
    return this.waiting >= mostWaiting ? this.newest : undefined;
  }

  /** Resolves when every row handed over is kept, or one cannot be. */
  async settled(): Promise<void> {
    await this.newest;
  }

  private append(nodes: readonly NodeRun[], row?: RowRun): Promise<void> | undefined {
    try {
      return this.store.append(nodes, row) ?? undefined;
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  private fail(error: unknown): void {
    this.failed ??= { error };
  }
}
