import type { NodeRun, RowRun, RunInfo, RunNode, RunReader, Usage } from '@unroll/engine';
import type { ThrottleState } from '@unroll/nodes';
import {
  createProgress,
  findPrices,
  type ProgressView,
  type ProjectHost,
  recordedPrices,
  type WorkerAtWork,
} from '@unroll/project';
import { type EndedNode, type EndedRow, type KnownWorker, pacesOn, workersOn } from '../work/index.ts';

/** How a run on workers stands, as a fold over what they record. */
export class RunProgress {
  private readonly progress: ReturnType<typeof createProgress>;
  private readonly overRows: ReadonlySet<string>;
  private readonly reader: RunReader;
  private workers: readonly WorkerAtWork[] = [];
  private paces: readonly ThrottleState[] = [];
  private readonly id: string;
  /** Nodes by the group that they are told in. */
  private readonly groups: ReadonlyMap<string, readonly string[]>;

  /** @param startedAt milliseconds, by the clock that `view` is asked with */
  constructor(info: RunInfo, reader: RunReader, startedAt: number, host: ProjectHost) {
    const { id, nodes, data } = info;
    this.id = id;
    this.groups = groupsOf(nodes);
    this.reader = reader;
    this.overRows = new Set(nodes.flatMap(({ name, aggregation }) => (aggregation === true ? [name] : [])));
    const priceOf = recordedPrices(info, findPrices(host));
    const paces = (): readonly ThrottleState[] => this.paces;
    this.progress = createProgress({ nodes, startedAt, total: data?.total, priceOf, paces });
  }

  /** @returns the row as listeners of a run hear of it: without its values, which its record has */
  async rowEnded(ended: EndedRow): Promise<RowRun> {
    const { line, repeat, nodes } = ended;
    // How it failed stands with its values, and so do the loops that did not finish.
    const isPlain = ended.status === 'Completed' && !ended.isUnfinished;
    const whole = isPlain ? undefined : await this.reader.row(line, repeat);
    const row: RowRun = {
      line,
      ...(repeat === 0 ? {} : { repeat }),
      status: rowStatus(ended),
      startedAt: ended.startedAt,
      durationMs: ended.durationMs,
      ...(whole?.error === undefined ? {} : { error: whole.error }),
      ...(whole?.unfinished === undefined ? {} : { unfinished: whole.unfinished }),
      inputs: {},
      outputs: {},
    };
    // What is in flight is told by the workers.
    this.progress.rowStarted();
    for (const node of nodes) if (!this.overRows.has(node.node)) this.progress.nodeEnded(nodeRun(node, ended));
    this.progress.rowEnded(row);
    return row;
  }

  /** @param paces of all connections: those count that the run calls */
  workersSeen(workers: readonly KnownWorker[], paces: readonly ThrottleState[]): void {
    this.workers = workersOn(this.id, workers);
    this.paces = pacesOn(this.id, workers, paces);
  }

  view(now: number): ProgressView {
    const view = this.progress.view(now);
    const works = this.workers.flatMap(({ name, rows }) => (rows === 0 ? [] : [{ name, rows }]));
    const inFlight = works.reduce((sum, { rows }) => sum + rows, 0);
    const groups = view.groups.map((group) =>
      group.kind === 'loop' ? group : { ...group, inFlight: this.nodesInFlight(groupKey(group.loop, group.name)) },
    );
    return { ...view, groups, rows: { ...view.rows, inFlight }, workers: works };
  }

  private nodesInFlight(group: string): number {
    const names = this.groups.get(group) ?? [];
    return this.workers.reduce((sum, { nodes }) => sum + names.reduce((of, name) => of + (nodes[name] ?? 0), 0), 0);
  }
}

function groupsOf(nodes: readonly RunNode[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(nodes, ({ name, loop, family, iteration = 0 }) =>
    loop !== undefined && family !== undefined && iteration > 0 ? groupKey(loop, family) : groupKey(undefined, name),
  );
  return new Map([...groups].map(([key, all]) => [key, all.map(({ name }) => name)]));
}

function groupKey(loop: string | undefined, name: string): string {
  return `${loop ?? ''}\0${name}`;
}

function rowStatus({ status, line }: EndedRow): RowRun['status'] {
  if (status === 'Completed' || status === 'Failed' || status === 'Canceled') return status;
  throw new Error(`bug: row ${line} ended as ${status}`);
}

function nodeRun(node: EndedNode, { line, repeat }: EndedRow): NodeRun {
  const { promptTokens, completionTokens, durationMs } = node;
  const totalTokens = promptTokens + completionTokens;
  const usage: Usage | undefined = totalTokens === 0 ? undefined : { promptTokens, completionTokens, totalTokens };
  return {
    line,
    repeat,
    node: node.node,
    kind: node.kind,
    status: node.status,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(usage === undefined ? {} : { usage }),
  };
}
