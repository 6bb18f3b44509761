import { addUsage, type NodeRun, type RowRun, type RunNode, type Usage } from '@unroll/engine';
import type { ThrottleState } from '@unroll/nodes';
import type { Group, ProgressView } from '../host/run-progress.ts';
import type { PriceOf } from '../prices/node-prices.ts';
import { sumOfSpent } from '../prices/spent.ts';
import { groupFailures } from './failure-groups.ts';
import { createCounters } from './node-counters.ts';
import { createRate } from './rate.ts';
import { createRowTracks } from './row-tracks.ts';

/** A fold over what happens in a bulk run. Takes as much memory for a million rows as for a hundred. */
export interface Progress {
  rowStarted(): void;
  nodeStarted(node: string): void;
  /** A call of a node failed and is made again. @param code of its failure */
  callFailed(node: string, code: string): void;
  nodeEnded(run: NodeRun): void;
  rowEnded(row: EndedRow): void;
  /** How things stand at a time in milliseconds; to be asked again and again, for the rate is worked out between. */
  view(at: number): ProgressView;
}

/** What counts of a row. */
type EndedRow = Pick<RowRun, 'line' | 'repeat' | 'status' | 'error' | 'unfinished'>;

export interface ProgressOptions {
  /** In the order of the flow. */
  readonly nodes: readonly RunNode[];
  readonly startedAt: number;
  /** Rows with their repeats; undefined while nobody has counted them. */
  readonly total?: number | undefined;
  /** Rows that were recorded before. */
  readonly before?: RowCounts;
  readonly priceOf?: PriceOf;
  /** Connections whose calls are held back. */
  readonly paces?: () => readonly ThrottleState[];
}

interface RowCounts {
  readonly completed: number;
  readonly failed: number;
}

export function createProgress(options: ProgressOptions): Progress {
  const { nodes, startedAt, before = { completed: 0, failed: 0 } } = options;
  const counters = createCounters(nodes);
  const tracks = createRowTracks(nodes);
  const failures = groupFailures();
  const failing = new Map<string, FailedCalls>();
  const rate = createRate(startedAt);
  const rows = {
    completed: before.completed,
    failed: before.failed,
    canceled: 0,
    unfinished: 0,
    cached: 0,
    inFlight: 0,
  };
  const endedBefore = before.completed + before.failed;
  return {
    rowStarted() {
      rows.inFlight += 1;
    },
    nodeStarted(node) {
      const counter = counters.byNode.get(node);
      if (counter !== undefined) counter.inFlight += 1;
    },
    callFailed(node, code) {
      failing.set(node, { code, calls: (failing.get(node)?.calls ?? 0) + 1 });
    },
    nodeEnded(run) {
      failing.delete(run.node);
      const counter = counters.byNode.get(run.node);
      counter?.take(run, options.priceOf?.(run.node, run.usage));
      if (counter?.aggregation === true) failures.aggregation(run);
      else tracks.node(run);
    },
    rowEnded(row) {
      rows.inFlight -= 1;
      const { isCached, went } = tracks.end(row);
      if (isCached) rows.cached += 1;
      rows[countOf[row.status]] += 1;
      if (row.status === 'Failed') failures.row(row);
      if (row.status !== 'Completed') return;
      if ((row.unfinished ?? []).length > 0) rows.unfinished += 1;
      for (const [loop, times] of went) counters.loops.get(loop)?.note(times);
    },
    view(at) {
      const groups = counters.view();
      const done = rows.completed + rows.failed;
      const perSecond = rate.note(at, done - endedBefore);
      const paces = options.paces?.() ?? [];
      const left = options.total === undefined ? undefined : options.total - done;
      return {
        rows: { ...rows, ...(options.total === undefined ? {} : { total: options.total }) },
        groups,
        failures: failures.all(),
        ...totalsOf(groups),
        elapsedMs: at - startedAt,
        ...(paces.length === 0 ? {} : { paces }),
        ...failingView(failing),
        ...(perSecond === undefined ? {} : { rate: perSecond }),
        ...(perSecond === undefined || left === undefined ? {} : { leftMs: (left * 1000) / perSecond }),
      };
    },
  };
}

interface FailedCalls {
  readonly code: string;
  readonly calls: number;
}

function failingView(failing: ReadonlyMap<string, FailedCalls>): Pick<ProgressView, 'failing'> {
  return failing.size === 0 ? {} : { failing: [...failing].map(([node, one]) => ({ node, ...one })) };
}

const countOf = { Completed: 'completed', Failed: 'failed', Canceled: 'canceled' } as const;

function totalsOf(groups: readonly Group[]): Pick<ProgressView, 'usage' | 'cost' | 'isCostPartial'> {
  const tallies = groups.filter((group) => group.kind !== 'loop');
  const usage = tallies.flatMap((tally) => tally.usage ?? []).reduce<Usage | undefined>(addUsage, undefined);
  const { cost, isCostPartial } = sumOfSpent(
    tallies.map((tally) => ({ tokens: 0, cost: tally.cost, isCostPartial: tally.isCostPartial })),
  );
  return { isCostPartial, ...(usage === undefined ? {} : { usage }), ...(cost === undefined ? {} : { cost }) };
}
