import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { RunLog } from '../record/run-log.ts';

/** Rows that may wait to be kept while others run. */
const maxWaiting = 1024;

/**
 * Hands records to a store without making rows wait for it, and tells when a row is kept. The first record that cannot be
 * kept, or told, ends the run: what is not recorded would be lost.
 */
export class RecordKeeper {
  private readonly log: RunLog;
  private last: Promise<void> | undefined;
  private newest: Promise<void> | undefined;
  private waiting = 0;
  private failed: { readonly error: unknown } | undefined;

  constructor(log: RunLog) {
    this.log = log;
  }

  get failure(): { readonly error: unknown } | undefined {
    return this.failed;
  }

  /** A node that ended while its row goes on. */
  node(run: NodeRun): void {
    const kept = this.append([run]);
    if (kept === this.last) return;
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
    this.waiting += 1;
    this.newest = this.append(nodes, row)
      .then(() => {
        this.waiting -= 1;
        onKept();
      })
      .catch((error: unknown) => this.fail(error));
    return this.waiting >= maxWaiting ? this.newest : undefined;
  }

  /** Resolves when every row handed over is kept, or one cannot be. */
  async settled(): Promise<void> {
    await this.newest;
  }

  /** A log that throws is one that rejects. */
  private append(nodes: readonly NodeRun[], row?: RowRun): Promise<void> {
    try {
      return this.log.append(nodes, row);
    } catch (error) {
      this.fail(error);
      return Promise.reject(error);
    }
  }

  private fail(error: unknown): void {
    this.failed ??= { error };
  }
}
