import type { NodeStatus, ReadEnd, ReadRecord } from '@unroll/engine';
import { createQuantiles } from '../bulk/quantiles.ts';
import type { Price } from '../prices/price-file.ts';
import { Spent } from '../prices/spent.ts';
import { GrowingColumns, noStatus, statusNumber } from './row-columns.ts';
import type { NodeIndex } from './row-index.ts';

/** Gathers one node, row after row. */
export class NodeColumns {
  private readonly rows = new GrowingColumns(
    { statuses: new Uint8Array(1024), cached: new Uint8Array(1024) },
    { statuses: noStatus },
  );
  private readonly counts: Record<NodeStatus, number> = {
    Completed: 0,
    Bypassed: 0,
    Failed: 0,
    Canceled: 0,
    NotRun: 0,
  };
  private readonly durations = createQuantiles();
  private cachedCount = 0;
  private readonly spent = new Spent();

  /** A row begins; what becomes of the node in it may follow. */
  begin(): void {
    this.rows.add();
  }

  take(
    { status, durationMs, usage }: Omit<ReadEnd, 'node' | 'kind'>,
    cache: ReadRecord['cache'],
    price: Price | undefined,
  ): void {
    const at = this.rows.size - 1;
    this.rows.columns.statuses[at] = statusNumber(status);
    this.counts[status] += 1;
    if (cache === 'hit') {
      this.rows.columns.cached[at] = 1;
      this.cachedCount += 1;
      return;
    }
    if (durationMs !== undefined && status !== 'Bypassed' && status !== 'NotRun') this.durations.add(durationMs);
    if (usage !== undefined) this.spent.call(usage, price);
  }

  index(): NodeIndex {
    const { counts, cachedCount, spent } = this;
    const { size, columns } = this.rows;
    return {
      statuses: columns.statuses.subarray(0, size),
      cached: columns.cached.subarray(0, size),
      ...{ counts, cachedCount, spent },
      medianMs: this.durations.at(0.5),
    };
  }
}
