import type { Usage } from '../node/node-report.ts';
import type { JsonValue } from '../value/json.ts';
import { batchesOf } from './batches.ts';
import type { NodeRun, NodeStatus, RowRun } from './node-run.ts';
import { recordDigest } from './record-digest.ts';
import type { RunInfo } from './run-info.ts';
import type { RunLog } from './run-log.ts';
import type {
  Batches,
  NodeCount,
  NodeSummary,
  ReadRecord,
  RecordDigest,
  RecordProjection,
  RowRecords,
  RowSummary,
  RowView,
} from './run-reader.ts';
import { statuses } from './status-number.ts';

/** Keeps a run's records for as long as the process lives. */
export function createMemoryRunLog(info: RunInfo): RunLog {
  return new MemoryRunLog(info);
}

const batchSize = 32;

class MemoryRunLog implements RunLog {
  readonly info: RunInfo;
  private readonly nodesOf = new Map<string, Map<string, NodeRun>>();
  private readonly ended = new Map<string, RowRun>();
  private logged: Readonly<Record<string, JsonValue>> = {};

  constructor(info: RunInfo) {
    this.info = info;
  }

  async append(runs: readonly NodeRun[], row?: RowRun): Promise<void> {
    for (const run of runs) {
      const ofRow = this.nodesOf.get(keyOf(run)) ?? new Map<string, NodeRun>();
      this.nodesOf.set(keyOf(run), ofRow);
      if (!ofRow.has(run.node)) ofRow.set(run.node, run);
    }
    if (row !== undefined && !this.ended.has(keyOf(row))) this.ended.set(keyOf(row), row);
  }

  async appendMetrics(metrics: Readonly<Record<string, JsonValue>>): Promise<void> {
    this.logged = { ...this.logged, ...metrics };
  }

  async reopen(rows: Parameters<RunLog['reopen']>[0]): Promise<void> {
    for (const row of rows) {
      this.ended.delete(keyOf(row));
      const completed = [...(this.nodesOf.get(keyOf(row)) ?? [])].filter(
        ([, run]) => row.isAnew !== true && stays(run),
      );
      this.nodesOf.set(keyOf(row), new Map(completed));
    }
    const aggregation = this.info.nodes.filter((node) => node.aggregation === true);
    for (const ofRow of this.nodesOf.values()) for (const { name } of aggregation) ofRow.delete(name);
    this.logged = {};
  }

  async ensureKept(): Promise<void> {}

  async nodes(line: number, repeat = 0): Promise<readonly NodeRun[]> {
    return this.recordsOf({ line, repeat });
  }

  async row(line: number, repeat = 0): Promise<RowRun | undefined> {
    return this.ended.get(keyOf({ line, repeat }));
  }

  rows(): Batches<RowRun> {
    return this.batches((row) => row);
  }

  records(): Batches<RowRecords> {
    return this.batches((row) => ({ row, nodes: this.recordsOf(row) }));
  }

  rowEnds(): Batches<RowSummary> {
    return this.batches((row) => rowEnd(row, this.recordsOf(row)));
  }

  readRows(wanted: RecordProjection): Batches<RowView> {
    return this.batches((row) => readRow(row, this.recordsOf(row), wanted));
  }

  digests(): Batches<RecordDigest> {
    return batchesOf(this.all().map(recordDigest).sort(byPlace), batchSize);
  }

  async rowCounts(): ReturnType<RunLog['rowCounts']> {
    const counts = { Completed: 0, Failed: 0, Canceled: 0 };
    for (const { status } of this.ended.values()) counts[status] += 1;
    return counts;
  }

  async unfinishedCount(): Promise<number> {
    return [...this.ended.values()].filter(isUnfinished).length;
  }

  async nodeCounts(): Promise<readonly NodeCount[]> {
    return countNodes(this.info, this.all());
  }

  async tokens(): ReturnType<RunLog['tokens']> {
    return tokensOf(this.all());
  }

  async nextLine(): Promise<number> {
    const places = [...this.nodesOf.keys(), ...this.ended.keys()];
    return places.reduce((next, place) => Math.max(next, Number.parseInt(place, 10) + 1), 0);
  }

  async metrics(): Promise<Readonly<Record<string, JsonValue>>> {
    return this.logged;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  private batches<T>(read: (row: RowRun) => T): Batches<T> {
    return batchesOf([...this.ended.values()].sort(byPlace).map(read), batchSize);
  }

  private recordsOf(row: Pick<NodeRun, 'line' | 'repeat'>): readonly NodeRun[] {
    return [...(this.nodesOf.get(keyOf(row))?.values() ?? [])];
  }

  private all(): readonly NodeRun[] {
    return [...this.nodesOf.values()].flatMap((ofRow) => [...ofRow.values()]);
  }
}

function stays({ status, inexact }: NodeRun): boolean {
  return status === 'Completed' && inexact === undefined;
}

function rowEnd(row: RowRun, ofRow: readonly NodeRun[]): RowSummary {
  const { line, repeat = 0, status, startedAt, durationMs } = row;
  const ends = ofRow.map(({ node, kind, status: ended, durationMs: took, usage }): NodeSummary => {
    const times = took === undefined ? {} : { durationMs: took };
    return { node, kind, status: ended, ...times, ...(usage === undefined ? {} : { usage }) };
  });
  return { line, repeat, status, startedAt, durationMs, isUnfinished: isUnfinished(row), nodes: ends };
}

function readRow(
  row: RowRun,
  ofRow: readonly NodeRun[],
  { nodes: names, ends = [], values = true }: RecordProjection,
): RowView {
  const end = rowEnd(row, ofRow);
  return {
    ...end,
    ...(values ? { inputs: row.inputs, outputs: row.outputs } : { inputs: {}, outputs: {} }),
    error: row.error,
    nodes: end.nodes.filter(({ node }) => ends.includes(node)),
    records: new Map(
      ofRow.flatMap(({ node, status, output, cache }): [string, ReadRecord][] =>
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

function tokensOf(runs: readonly NodeRun[]): Pick<Usage, 'promptTokens' | 'completionTokens'> {
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
