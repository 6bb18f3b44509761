import type { NodeStatus, ReadEnd, ReadRecord } from '@unroll/engine';
import { createQuantiles } from '../bulk/quantiles.ts';
import type { CallCost } from './call-cost.ts';
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
  private tokens = 0;
  private cost: number | undefined;
  private isCostPartial = false;

  /** A row begins; what becomes of the node in it may follow. */
  begin(): void {
    this.rows.add();
  }

  take({ status, durationMs, usage }: ReadEnd, cache: ReadRecord['cache'], cost: CallCost | undefined): void {
    const at = this.rows.size - 1;
    this.rows.columns.statuses[at] = statusNumber(status);
    this.counts[status] += 1;
    if (cache === 'hit') {
      this.rows.columns.cached[at] = 1;
      this.cachedCount += 1;
      return;
    }
    if (durationMs !== undefined && status !== 'Bypassed' && status !== 'NotRun') this.durations.add(durationMs);
    this.tokens += usage?.totalTokens ?? 0;
    if (cost === undefined) return;
    if (cost.isKnown) this.cost = (this.cost ?? 0) + cost.dollars;
    this.isCostPartial ||= cost.isPartial;
  }

  index(): NodeIndex {
    const { counts, cachedCount, tokens, cost, isCostPartial } = this;
    const { size, columns } = this.rows;
    return {
      statuses: columns.statuses.subarray(0, size),
      cached: columns.cached.subarray(0, size),
      ...{ counts, cachedCount, tokens, cost, isCostPartial },
      medianMs: this.durations.at(0.5),
    };
  }
}
