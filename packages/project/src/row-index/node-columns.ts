import type { NodeStatus, ReadEnd, ReadRecord } from '@unroll/engine';
import { createQuantiles } from '../bulk/quantiles.ts';
import type { Price } from '../prices/price-file.ts';
import { Spent } from '../prices/spent.ts';
import type { NodeIndex } from './row-index.ts';

/** Gathers one node, row after row. */
export class NodeColumns {
  private readonly statuses: (NodeStatus | undefined)[] = [];
  private readonly cached: boolean[] = [];
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
    this.statuses.push(undefined);
    this.cached.push(false);
  }

  take(
    { status, durationMs, usage }: Omit<ReadEnd, 'node' | 'kind'>,
    cache: ReadRecord['cache'],
    price: Price | undefined,
  ): void {
    const at = this.statuses.length - 1;
    this.statuses[at] = status;
    this.counts[status] += 1;
    if (cache === 'hit') {
      this.cached[at] = true;
      this.cachedCount += 1;
      return;
    }
    if (durationMs !== undefined && status !== 'Bypassed' && status !== 'NotRun') this.durations.add(durationMs);
    if (usage !== undefined) this.spent.call(usage, price);
  }

  index(): NodeIndex {
    const { statuses, cached, counts, cachedCount, spent } = this;
    return { statuses, cached, counts, cachedCount, spent, medianMs: this.durations.at(0.5) };
  }
}
