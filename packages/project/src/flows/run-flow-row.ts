import {
  type JsonObject,
  markedInexact,
  type NodeRun,
  type RowError,
  type RowResult,
  type RunEvent,
  RunFileError,
  type RunnableFlow,
  type Streaming,
  testsAggregation,
} from '@unroll/engine';
import type { ProjectHost } from '../host/project-host.ts';
import { type RecordSettings, recordRun } from '../records/record-run.ts';
import { lockRun } from '../records/run-lock.ts';
import { writeImages } from '../records/write-images.ts';
import type { FoundFlow } from './find-flow.ts';
import { tellUnseen } from './tell-unseen.ts';

/** What came of one row, with the nodes over all rows, which ran over it alone. */
export interface RowOutcome {
  readonly row: RowResult['row'];
  /** In the order in which they ended. */
  readonly nodes: readonly NodeRun[];
  /** What aggregation nodes gave. */
  readonly metrics: JsonObject;
  /** What is to be told as having failed: the row, or else an aggregation node after it. */
  readonly failure: RowError | undefined;
  /** Absent where it could not be recorded. */
  readonly record?: { readonly id: string; readonly file: string; readonly path: string };
  /** Why it could not be recorded. */
  readonly recordFailure?: string;
}

export interface RowSettings {
  readonly record: Pick<RecordSettings, 'id' | 'since' | 'durable' | 'options'>;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly streaming?: Streaming | undefined;
}

/** Runs a flow once, its aggregation nodes over that one row included, as Prompt flow's test of a flow does. */
export async function runFlowRow(
  flow: RunnableFlow,
  found: FoundFlow,
  inputs: JsonObject,
  { record: recorded, signal, onEvent, streaming }: RowSettings,
  host: ProjectHost,
): Promise<RowOutcome> {
  const record = recordRun(flow, found, recorded, host);
  using _lock = lockRun(record.file, record.id);
  await using store = record.store;
  const rowOptions = {
    ...{ runId: record.id, line: 0 },
    ...(signal === undefined ? {} : { signal }),
    ...(onEvent === undefined ? {} : { onEvent }),
    ...(streaming === undefined ? {} : { streaming }),
  };
  const result = await flow.runRow(inputs, rowOptions);
  const recording = new Recording();
  await recording.do(() => store.append(result.nodes.map(markedInexact), result.row));
  const aggregated = await aggregate(flow, result, rowOptions);
  await recording.do(async () => {
    await store.append(aggregated.nodes.map(markedInexact));
    await store.appendMetrics(aggregated.metrics);
    await store.ensureKept();
  });
  const row = writeImages(rowWith(result.row, aggregated.nodes), flow.plan, record.id, host);
  const { id, file, path } = record;
  tellUnseen(flow, host);
  return {
    row,
    nodes: [...result.nodes, ...aggregated.nodes],
    metrics: aggregated.metrics,
    failure: failureOf(row, aggregated.nodes),
    ...(recording.failure === undefined
      ? { record: { id, file, path } }
      : { recordFailure: recording.failure.message }),
  };
}

/** What came out of a row is given also where it could not be recorded. */
class Recording {
  failure: RunFileError | undefined;

  async do(record: () => void | Promise<void>): Promise<void> {
    try {
      if (this.failure === undefined) await record();
    } catch (error) {
      if (!(error instanceof RunFileError)) throw error;
      this.failure = error;
    }
  }
}

async function aggregate(
  flow: RunnableFlow,
  result: RowResult,
  options: Parameters<RunnableFlow['runAggregation']>[1],
): ReturnType<RunnableFlow['runAggregation']> {
  if (result.row.status !== 'Completed' || !testsAggregation(flow.plan)) return { nodes: [], metrics: {} };
  return flow.runAggregation([result], options);
}

/** As in Prompt flow, an aggregation node that fails leaves the row completed; one that was stopped does not. */
function rowWith(row: RowResult['row'], aggregated: readonly NodeRun[]): RowResult['row'] {
  const stopped = aggregated.find(({ status }) => status === 'Canceled');
  if (stopped?.error === undefined) return row;
  return { ...row, status: 'Canceled', error: { ...stopped.error, node: stopped.node } };
}

function failureOf(row: RowResult['row'], aggregated: readonly NodeRun[]): RowError | undefined {
  if (row.error !== undefined) return row.error;
  const failed = aggregated.find(({ status }) => status === 'Failed');
  return failed?.error === undefined ? undefined : { ...failed.error, node: failed.node };
}
