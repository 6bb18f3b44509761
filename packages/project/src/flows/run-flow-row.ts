import {
  type JsonObject,
  markedInexact,
  type NodeRun,
  type RowError,
  type RowResult,
  RunFileError,
  type RunnableFlow,
  type Streaming,
  testsAggregation,
} from '@unroll/engine';
import type { ProjectHost } from '../host/project-host.ts';
import type { RowOutcome } from '../host/run-outcome.ts';
import { type RecordSettings, recordRun } from '../records/record-run.ts';
import { lockRun } from '../records/run-lock.ts';
import { writeImages } from '../records/write-images.ts';
import type { FoundFlow } from './find-flow.ts';
import { reportReads } from './report-reads.ts';
import { watchAnswers } from './watch-answers.ts';

export interface RowSettings {
  readonly record: Pick<RecordSettings, 'id' | 'since' | 'durable' | 'options'>;
  readonly signal?: AbortSignal | undefined;
  readonly streaming?: Streaming | undefined;
}

/** Runs a flow once, its aggregation nodes over that one row included, as Prompt flow's test of a flow does. */
export async function runFlowRow(
  flow: RunnableFlow,
  found: FoundFlow,
  inputs: JsonObject,
  { record: recorded, signal, streaming }: RowSettings,
  host: ProjectHost,
): Promise<RowOutcome> {
  const record = recordRun(flow, found, recorded, host);
  using _lock = lockRun(record.file, record.id);
  await using store = record.store;
  const { id, file, path } = record;
  host.report({ type: 'run-started', kind: 'row', plan: flow.plan, record: { id, file, path } });
  const rowOptions = {
    runId: id,
    line: 0,
    onEvent: host.report,
    ...(signal === undefined ? {} : { signal }),
    ...(streaming === undefined ? {} : { streaming }),
  };
  host.report({ type: 'row-started', line: 0 });
  const result = await flow.runRow(inputs, rowOptions);
  const recording = new Recording();
  await recording.do(() => store.append(result.nodes.map(markedInexact), result.row));
  host.report({ type: 'row-ended', row: result.row });
  const aggregated = await aggregate(flow, result, rowOptions);
  await recording.do(async () => {
    await store.append(aggregated.nodes.map(markedInexact));
    await store.appendMetrics(aggregated.metrics);
    await store.ensureKept();
  });
  host.report({ type: 'rows-ended', stopped: false });
  const row = writeImages(rowWith(result.row, aggregated.nodes), flow.plan, id, host);
  reportReads(flow, host);
  const answers = watchAnswers(flow.plan);
  for (const run of result.nodes) answers.nodeEnded(run);
  answers.tell(host);
  const outcome: RowOutcome = {
    kind: 'row',
    row,
    nodes: [...result.nodes, ...aggregated.nodes],
    metrics: aggregated.metrics,
    failure: failureOf(row, aggregated.nodes),
    ...(recording.failure === undefined
      ? { record: { id, file, path } }
      : { recordFailure: recording.failure.message }),
  };
  host.report({ type: 'run-ended', outcome });
  return outcome;
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
