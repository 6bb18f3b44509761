import type { Value } from '../value/json.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { recordDigest } from './record-digest.ts';
import type { RunInfo, RunStore } from './run-store.ts';

/** Keeps a run's records for as long as the process lives. */
export function createMemoryRunStore(info: RunInfo): RunStore {
  const nodes = new Map<string, Map<string, NodeRun>>();
  const rows = new Map<string, RowRun>();
  const metrics: Record<string, Value> = {};
  return {
    info,
    append(runs, row) {
      for (const run of runs) {
        const ofRow = nodes.get(keyOf(run)) ?? new Map<string, NodeRun>();
        nodes.set(keyOf(run), ofRow);
        if (!ofRow.has(run.node)) ofRow.set(run.node, run);
      }
      if (row !== undefined && !rows.has(keyOf(row))) rows.set(keyOf(row), row);
    },
    appendMetrics(added) {
      Object.assign(metrics, added);
    },
    nodes: (line, repeat = 0) => [...(nodes.get(keyOf({ line, repeat }))?.values() ?? [])],
    rows: () => [...rows.values()].sort(byPlace),
    row: (line, repeat = 0) => rows.get(keyOf({ line, repeat })),
    rowCounts: () => {
      const counts = { Completed: 0, Failed: 0, Canceled: 0 };
      for (const { status } of rows.values()) counts[status] += 1;
      return counts;
    },
    metrics: () => ({ ...metrics }),
    reopen(reopened) {
      for (const row of reopened) {
        rows.delete(keyOf(row));
        const completed = [...(nodes.get(keyOf(row)) ?? [])].filter(([, { status }]) => status === 'Completed');
        nodes.set(keyOf(row), new Map(completed));
      }
      const aggregation = info.nodes.filter((node) => node.aggregation === true);
      for (const ofRow of nodes.values()) for (const { name } of aggregation) ofRow.delete(name);
      for (const name of Object.keys(metrics)) delete metrics[name];
    },
    digests: () => [...nodes.values()].flatMap((ofRow) => [...ofRow.values()].map(recordDigest)).sort(byPlace),
    async [Symbol.asyncDispose]() {},
  };
}

interface Place {
  readonly line: number;
  readonly repeat?: number;
}

function keyOf({ line, repeat = 0 }: Place): string {
  return `${line}:${repeat}`;
}

function byPlace(one: Place, other: Place): number {
  return one.line - other.line || (one.repeat ?? 0) - (other.repeat ?? 0);
}
