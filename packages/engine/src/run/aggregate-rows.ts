import type { NodeError } from '../node/node-error.ts';
import type { PlanNode } from '../plan/plan.ts';
import { eachOf } from '../record/batches.ts';
import type { NodeRun } from '../record/node-run.ts';
import { givesAgain, markedInexact } from '../record/reads-back.ts';
import type { RunLog } from '../record/run-log.ts';
import type { RunReader } from '../record/run-reader.ts';
import type { LiveOutputs, LostOutput } from './live-outputs.ts';
import type { RecordKeeper } from './record-keeper.ts';
import { reportEnds } from './run-aggregation.ts';
import type { NodeEvent } from './run-event.ts';
import type { RowResult, RunnableFlow } from './run-flow.ts';

/** Where rows are recorded, and what of them is kept beside. */
export interface RecordedRows {
  readonly store: RunLog;
  readonly keeper: RecordKeeper;
  readonly live: LiveOutputs;
}

export interface AggregateOptions {
  readonly runId: string;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: NodeEvent) => void) | undefined;
  /** Whether some of the rows ran before the run was stopped. */
  readonly isResumed: boolean;
}

/**
 * Runs the aggregation nodes over the completed rows. A node that completed is recorded when it ends, its metrics with it, so
 * that a run that is killed goes on after it.
 *
 * @returns undefined where they were given up: the others are not recorded, so that the run goes on with them
 */
export async function aggregateRows(
  flow: RunnableFlow,
  { store, keeper, live }: RecordedRows,
  options: AggregateOptions,
): Promise<readonly NodeRun[] | undefined> {
  const ofPlan = flow.plan.nodes.filter(({ aggregation }) => aggregation);
  if (ofPlan.length === 0) return [];
  const recorded = new Map((await store.nodes(0)).map((run) => [run.node, run]));
  const known = ofPlan.flatMap(({ name }) => recorded.get(name) ?? []);
  const lost = options.isResumed && known.length < ofPlan.length ? await live.findLost(store) : undefined;
  const nodes =
    known.length === ofPlan.length
      ? known
      : await runLeft(flow, { store, keeper, live }, { ...options, recorded, lost });
  if (nodes.some(({ status }) => status === 'Canceled')) return undefined;
  await store.append(nodes.map(markedInexact));
  const metrics = Object.assign({}, ...nodes.map((run) => run.metrics ?? {}));
  if (Object.keys(metrics).length > 0) await store.appendMetrics(metrics);
  return nodes;
}

interface Left extends AggregateOptions {
  readonly recorded: ReadonlyMap<string, NodeRun>;
  readonly lost: LostOutput | undefined;
}

async function runLeft(
  flow: RunnableFlow,
  { store, keeper, live }: RecordedRows,
  { recorded, lost, runId, signal, onEvent }: Left,
): Promise<readonly NodeRun[]> {
  if (lost !== undefined) {
    const nodes = flow.plan.nodes.filter(({ aggregation }) => aggregation).map((node) => notGiven(node, lost));
    reportEnds(nodes, onEvent);
    return nodes;
  }
  const tell = (event: NodeEvent): void => {
    const isOver = event.type === 'node-ended' && event.run.status === 'Completed' && givesAgain(event.run);
    if (isOver && !recorded.has(event.run.node)) keeper.node(event.run);
    onEvent?.(event);
  };
  const { nodes } = await flow.runAggregation(completedRows(store, live), {
    runId,
    finished: recorded,
    onEvent: tell,
    ...(signal === undefined ? {} : { signal }),
  });
  if (keeper.failure !== undefined) throw keeper.failure.error;
  return nodes.map((run) => recorded.get(run.node) ?? run);
}

function notGiven({ name, definition: { type } }: PlanNode, { node, line }: LostOutput): NodeRun {
  const error: NodeError = {
    code: 'OutputNotRecorded',
    message: `node '${node}' gave row ${line} an object that a record holds only as text, and the run was stopped since: a new run gives it to the nodes over all rows`,
    retryable: false,
  };
  return { line: 0, node: name, kind: type, status: 'Failed', error };
}

/** Read back some at a time: a run of any length fits in memory. */
async function* completedRows(reader: RunReader, live: LiveOutputs): AsyncGenerator<RowResult, void> {
  for await (const { row, nodes } of eachOf(reader.records())) {
    if (row.status === 'Completed') yield { row, nodes: live.in(row, nodes) };
  }
}
