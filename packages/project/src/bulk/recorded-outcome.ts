import type { Budget, RunReader } from '@unroll/engine';
import type { System } from '../host/project-host.ts';
import type { BulkOutcome, RunRecord } from '../host/run-outcome.ts';
import { recordedPrices } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { nodesOverRows } from '../records/nodes-over-rows.ts';
import { bulkStatus } from './bulk-status.ts';
import { recordView } from './record-view.ts';

/** How a run ended that ran elsewhere; its record tells all else. */
export interface DistantEnd {
  readonly stopped: boolean;
  readonly timedOut: boolean;
  /** What a run that stopped for its budget spent of it. */
  readonly budget?: string | undefined;
  readonly elapsedMs: number;
}

/** What came of a run over data, read from its record. */
export async function recordedOutcome(
  store: RunReader,
  record: RunRecord,
  { stopped, timedOut, budget, elapsedMs }: DistantEnd,
  system: System,
): Promise<BulkOutcome> {
  const { info } = store;
  const { Completed: completed, Failed: failed, Canceled: canceled } = await store.rowCounts();
  const aggregation = await nodesOverRows(store);
  const metrics = await store.metrics();
  const result = {
    rows: completed + failed + canceled,
    completed,
    failed,
    canceled,
    unfinished: await store.unfinishedCount(),
    stopped,
    timedOut,
    metrics,
    aggregation,
  };
  const bulk = info.options?.['bulk'] as { readonly timeoutMs?: number; readonly budget?: Budget } | undefined;
  const view = await recordView(store, recordedPrices(info, findPrices(system)));
  return {
    kind: 'dataset',
    result,
    status: bulkStatus(result),
    view: { ...view, elapsedMs },
    metrics,
    record,
    budget,
    limits: { timeoutMs: bulk?.timeoutMs, budget: bulk?.budget },
  };
}
