import type { RunStore } from '@unroll/engine';
import type { Price } from './prices.ts';
import { createProgress, type ProgressOptions, type ProgressView } from './progress.ts';

/** How a recorded run stands: the same fold as over a run under way, over all that was recorded. */
export function recordView(store: RunStore, priceOf?: (node: string) => Price | undefined): ProgressView {
  const { info } = store;
  const total = info.data?.total;
  const options: ProgressOptions = { nodes: info.nodes, startedAt: info.startedAt, total };
  const progress = createProgress(priceOf === undefined ? options : { ...options, priceOf });
  let endedAt = info.startedAt;
  for (const row of store.rows()) {
    for (const run of store.nodes(row.line, row.repeat)) progress.nodeEnded(run);
    progress.rowStarted();
    progress.rowEnded(row);
    endedAt = Math.max(endedAt, row.startedAt + row.durationMs);
  }
  return progress.view(endedAt);
}
