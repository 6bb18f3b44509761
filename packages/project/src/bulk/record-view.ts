import { eachOf, type NodeRun, type RowView, type RunReader } from '@unroll/engine';
import type { ProgressView } from '../host/run-progress.ts';
import type { PriceOf } from '../prices/node-prices.ts';
import { aggregationEnd, namesOverRows, nodesOverRows } from '../records/nodes-over-rows.ts';
import { createProgress, type Progress } from './progress.ts';
import { nodesWithTokens } from './recorded-usages.ts';

/**
 * How a recorded run stands: the same fold as over a run under way, over all that was recorded.
 *
 * @param isDetailed whether it matters what the tokens of a node were, of which its whole records alone tell
 */
export async function recordView(
  store: RunReader,
  priceOf?: PriceOf,
  isDetailed: (node: string) => boolean = () => true,
): Promise<ProgressView> {
  const { info } = store;
  const base = { nodes: info.nodes, startedAt: info.startedAt, total: info.data?.total };
  const progress = createProgress(priceOf === undefined ? base : { ...base, priceOf });
  // Only the whole record of a node says that its output was taken from an earlier run.
  const fold = info.options?.['since'] === undefined ? foldEnds : foldRecords;
  const overRows = namesOverRows(info);
  const detailed = info.nodes.some(({ name }) => isDetailed(name)) ? await nodesWithTokens(store) : [];
  const wanted = detailed.filter(isDetailed);
  const endedAt = await fold(store, progress, { isOverRows: (node) => overRows.has(node), wanted });
  for (const run of await nodesOverRows(store)) progress.nodeEnded(run);
  return progress.view(Math.max(endedAt, await aggregationEnd(store)));
}

interface Folded {
  readonly isOverRows: (node: string) => boolean;
  /** Nodes whose records are read. */
  readonly wanted: readonly string[];
}

async function foldEnds(store: RunReader, progress: Progress, { isOverRows, wanted: nodes }: Folded): Promise<number> {
  let endedAt = store.info.startedAt;
  const ends = store.info.nodes.flatMap(({ name }) => (isOverRows(name) ? [] : [name]));
  for await (const read of eachOf(store.readRows({ nodes, ends, values: false }))) {
    const { line, repeat, status, startedAt, durationMs } = read;
    for (const end of read.nodes) progress.nodeEnded({ line, repeat, ...nodeEnd(end) });
    progress.rowStarted();
    const error = status === 'Failed' ? read.error : undefined;
    progress.rowEnded({
      line,
      repeat,
      status,
      ...(read.isUnfinished ? { unfinished: [''] } : {}),
      ...(error === undefined ? {} : { error }),
    });
    endedAt = Math.max(endedAt, startedAt + durationMs);
  }
  return endedAt;
}

function nodeEnd({
  node,
  kind,
  status,
  durationMs,
  usage,
}: RowView['nodes'][number]): Omit<NodeRun, 'line' | 'repeat'> {
  const times = durationMs === undefined ? {} : { durationMs };
  return { node, kind, status, ...times, ...(usage === undefined ? {} : { usage }) };
}

async function foldRecords(store: RunReader, progress: Progress, { isOverRows }: Folded): Promise<number> {
  let endedAt = store.info.startedAt;
  for await (const { row, nodes } of eachOf(store.records())) {
    for (const run of nodes) if (!isOverRows(run.node)) progress.nodeEnded(run);
    progress.rowStarted();
    progress.rowEnded(row);
    endedAt = Math.max(endedAt, row.startedAt + row.durationMs);
  }
  return endedAt;
}
