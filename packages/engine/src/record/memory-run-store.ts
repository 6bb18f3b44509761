import type { Value } from '../value/json.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import type { RunInfo, RunStore } from './run-store.ts';

/** Keeps a run's records for as long as the process lives. */
export function createMemoryRunStore(info: RunInfo): RunStore {
  const nodes = new Map<number, Map<string, NodeRun>>();
  const rows = new Map<number, RowRun>();
  const metrics: Record<string, Value> = {};
  return {
    info,
    append(runs, row) {
      for (const run of runs) {
        const ofLine = nodes.get(run.line) ?? new Map<string, NodeRun>();
        nodes.set(run.line, ofLine);
        if (!ofLine.has(run.node)) ofLine.set(run.node, run);
      }
      if (row !== undefined && !rows.has(row.line)) rows.set(row.line, row);
    },
    appendMetrics(added) {
      Object.assign(metrics, added);
    },
    nodes: (line) => [...(nodes.get(line)?.values() ?? [])],
    rows: () => [...rows.values()].sort((left, right) => left.line - right.line),
    row: (line) => rows.get(line),
    metrics: () => ({ ...metrics }),
    async [Symbol.asyncDispose]() {},
  };
}
