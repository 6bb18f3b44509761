import type { JsonValue } from '../value/json.ts';
import type { NodeRun, NodeStatus, RowRun } from './node-run.ts';
import { recordDigest } from './record-digest.ts';
import type {
  NodeCount,
  NodeSummary,
  ReadRecord,
  RecordProjection,
  RowSummary,
  RowView,
  RunInfo,
  RunStore,
} from './run-store.ts';
import { statuses } from './status-number.ts';

/** Keeps a run's records for as long as the process lives. */
export function createMemoryRunStore(info: RunInfo): RunStore {
  const nodes = new Map<string, Map<string, NodeRun>>();
  const rows = new Map<string, RowRun>();
  const metrics: Record<string, JsonValue> = {};
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
    records: () =>
      [...rows.values()].sort(byPlace).map((row) => ({ row, nodes: [...(nodes.get(keyOf(row))?.values() ?? [])] })),
    rowCounts: () => {
      const counts = { Completed: 0, Failed: 0, Canceled: 0 };
      for (const { status } of rows.values()) counts[status] += 1;
      return counts;
    },
    rowEnds: () => [...rows.values()].sort(byPlace).map((row) => rowEnd(row, nodes.get(keyOf(row)))),
    readRows: (wanted) => [...rows.values()].sort(byPlace).map((row) => readRow(row, nodes.get(keyOf(row)), wanted)),
    unfinishedCount: () => [...rows.values()].filter(isUnfinished).length,
    nodeCounts: () =>
      countNodes(
        info,
        [...nodes.values()].flatMap((ofRow) => [...ofRow.values()]),
      ),
    tokens: () => tokensOf([...nodes.values()].flatMap((ofRow) => [...ofRow.values()])),
    nextLine: () => {
      const places = [...nodes.keys(), ...rows.keys()];
      return places.reduce((next, place) => Math.max(next, Number.parseInt(place, 10) + 1), 0);
    },
    metrics: () => ({ ...metrics }),
    reopen(reopened) {
      for (const row of reopened) {
        rows.delete(keyOf(row));
        const completed = [...(nodes.get(keyOf(row)) ?? [])].filter(([, run]) => stays(run));
        nodes.set(keyOf(row), new Map(completed));
      }
      const aggregation = info.nodes.filter((node) => node.aggregation === true);
      for (const ofRow of nodes.values()) for (const { name } of aggregation) ofRow.delete(name);
      for (const name of Object.keys(metrics)) delete metrics[name];
    },
    ensureKept: () => {},
    digests: () => [...nodes.values()].flatMap((ofRow) => [...ofRow.values()].map(recordDigest)).sort(byPlace),
    async [Symbol.asyncDispose]() {},
  };
}

function stays({ status, inexact }: NodeRun): boolean {
  return status === 'Completed' && inexact === undefined;
}

function rowEnd(row: RowRun, ofRow: ReadonlyMap<string, NodeRun> | undefined): RowSummary {
  const { line, repeat = 0, status, startedAt, durationMs } = row;
  const ends = [...(ofRow?.values() ?? [])].map(
    ({ node, kind, status: ended, durationMs: took, usage }): NodeSummary => {
      const times = took === undefined ? {} : { durationMs: took };
      return { node, kind, status: ended, ...times, ...(usage === undefined ? {} : { usage }) };
    },
  );
  return { line, repeat, status, startedAt, durationMs, isUnfinished: isUnfinished(row), nodes: ends };
}

function readRow(
  row: RowRun,
  ofRow: ReadonlyMap<string, NodeRun> | undefined,
  { nodes: names, ends = [], values = true }: RecordProjection,
): RowView {
  const end = rowEnd(row, ofRow);
  return {
    ...end,
    ...(values ? { inputs: row.inputs, outputs: row.outputs } : { inputs: {}, outputs: {} }),
    error: row.error,
    nodes: end.nodes.filter(({ node }) => ends.includes(node)),
    records: new Map(
      [...(ofRow?.values() ?? [])].flatMap(({ node, status, output, cache }): [string, ReadRecord][] =>
        names.includes(node) ? [[node, { node, status, output, cache }]] : [],
      ),
    ),
  };
}

function isUnfinished({ status, unfinished = [] }: RowRun): boolean {
  return status === 'Completed' && unfinished.length > 0;
}

function countNodes(info: RunInfo, runs: readonly NodeRun[]): readonly NodeCount[] {
  const names = [...new Set([...info.nodes.map(({ name }) => name), ...runs.map(({ node }) => node)])];
  return names.flatMap((node) => statuses.flatMap((status) => countNode(node, status, runs)));
}

function countNode(node: string, status: NodeStatus, runs: readonly NodeRun[]): readonly NodeCount[] {
  const counted = runs.filter((run) => run.node === node && run.status === status);
  if (counted.length === 0) return [];
  const total = (part: (run: NodeRun) => number | undefined): number =>
    counted.reduce((sum, run) => sum + (part(run) ?? 0), 0);
  return [
    {
      node,
      status,
      records: counted.length,
      durationMs: total(({ durationMs }) => durationMs),
      promptTokens: total(({ usage }) => usage?.promptTokens),
      completionTokens: total(({ usage }) => usage?.completionTokens),
    },
  ];
}

function tokensOf(runs: readonly NodeRun[]): ReturnType<RunStore['tokens']> {
  const total = (part: 'promptTokens' | 'completionTokens'): number =>
    runs.reduce((sum, { usage }) => sum + (usage?.[part] ?? 0), 0);
  return { promptTokens: total('promptTokens'), completionTokens: total('completionTokens') };
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
