import {
  type BulkEvent,
  type BulkResult,
  type JsonObject,
  RunFileError,
  RunFileLostError,
  type RunLog,
  runBulk,
} from '@unroll/engine';
import type { FlowForRun } from '../flows/open-for-run.ts';
import { tellUnseen } from '../flows/tell-unseen.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { nodePrices } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import { reasonOf } from '../records/record-run.ts';
import type { RunLock } from '../records/run-lock.ts';
import { countRecorded } from './bulk-record.ts';
import type { BulkRows } from './bulk-rows.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { type BulkStatus, bulkStatus } from './bulk-status.ts';
import { createProgress, type Progress, type ProgressView } from './progress.ts';
import { recordView } from './record-view.ts';
import { type Forced, refuseOtherRow } from './refuse-changed.ts';
import { openBudget, type RunBudget } from './run-budget.ts';

/** A run over data ready to go: its flow, rows, record and lock. */
export interface BulkJob extends Forced {
  readonly opened: FlowForRun;
  readonly settings: BulkSettings;
  readonly rows: BulkRows;
  readonly store: RunLog;
  readonly lock: RunLock;
  readonly record: { readonly id: string; readonly file: string; readonly path: string };
  readonly isResumed: boolean;
}

/** What happens in a run over data, in the order in which it happens. */
export type BulkJobEvent =
  | {
      readonly type: 'run-started';
      readonly isResumed: boolean;
      readonly record: BulkJob['record'];
      readonly flow: string;
      /** Where the rows come from; absent where they are those of an earlier run. */
      readonly data?: string | undefined;
      /** Rows with their repeats; absent where nobody counted them. */
      readonly total?: number | undefined;
      /** How the run stands, whenever it is asked. */
      readonly progress: () => ProgressView;
    }
  | BulkEvent
  /** No new rows start, those in flight finish: it was asked to stop, or a budget is reached, which is told then. */
  | { readonly type: 'run-stopping'; readonly budget?: string | undefined }
  /** No row is under way any more; `stopped`: there were rows left. */
  | { readonly type: 'rows-ended'; readonly stopped: boolean };

/** What came of a run over data. */
export interface BulkOutcome {
  readonly result: BulkResult;
  readonly status: BulkStatus;
  readonly view: ProgressView;
  /** What the aggregation nodes gave. */
  readonly metrics: JsonObject;
  readonly record: BulkJob['record'];
  /** What a run that stopped for its budget spent of it. */
  readonly budget?: string | undefined;
}

export interface Following {
  /** Aborted, the run starts no new row. */
  readonly signal?: AbortSignal | undefined;
  /** Called at once, and not waited for. */
  readonly onEvent?: (event: BulkJobEvent) => void;
}

/**
 * Runs to the end.
 *
 * @throws ProjectFailure when the record cannot be written any more, or an earlier attempt spent the budget already
 */
export async function runBulkJob(job: BulkJob, host: ProjectHost, following: Following = {}): Promise<BulkOutcome> {
  const { opened, rows, store, record, settings, isResumed } = job;
  const { flow, connections, paces } = opened;
  const startedAt = host.now();
  const priceOf = nodePrices(flow.plan, connections, findPrices(host));
  const before = isResumed ? await countRecorded(store) : { completed: 0, failed: 0 };
  const { total, path: data } = rows.data;
  const progress = createProgress({ nodes: store.info.nodes, startedAt, total, before, priceOf, paces });
  using budget = await openBudget(settings.budget ?? {}, store, priceOf, startedAt);
  const view = (): ProgressView => progress.view(host.now());
  following.onEvent?.({
    ...{ type: 'run-started', isResumed, record, flow: flow.plan.name, data, total },
    progress: view,
  });
  const result = await runRows(job, progress, budget, following);
  following.onEvent?.({ type: 'rows-ended', stopped: result.stopped });
  tellUnseen(flow, host);
  if (result.stopped) job.lock.leaveStopped();
  return {
    result,
    status: bulkStatus(result),
    view: { ...(isResumed ? await recordView(store, priceOf) : view()), elapsedMs: host.now() - startedAt },
    metrics: await store.metrics(),
    record,
    budget: budget.reached(),
  };
}

async function runRows(
  job: BulkJob,
  progress: Progress,
  budget: RunBudget,
  { signal, onEvent: tell = () => undefined }: Following,
): Promise<BulkResult> {
  const { opened, settings, rows, store, record } = job;
  const stop = signal === undefined ? budget.stop : AbortSignal.any([signal, budget.stop]);
  const ended = new AbortController();
  const onStop = (): void => tell({ type: 'run-stopping', budget: budget.reached() });
  stop.addEventListener('abort', onStop, { signal: ended.signal });
  const onEvent = (event: BulkEvent): void => {
    if (event.type === 'row-started') progress.rowStarted();
    else if (event.type === 'node-started') progress.nodeStarted(event.node);
    else if (event.type === 'node-ended') {
      progress.nodeEnded(event.run);
      budget.nodeEnded(event.run);
    } else if (event.type === 'row-ended') progress.rowEnded(event.row);
    else if (event.type === 'row-skipped') refuseOtherRow(event, opened.flow.plan, store.info, job);
    tell(event);
  };
  const { concurrency, rowTimeoutMs, timeoutMs, repeat } = settings;
  try {
    return await runBulk(opened.flow, rows.rows, store, {
      ...{ runId: record.id, concurrency, rowTimeoutMs, timeoutMs, repeat, stop, onEvent },
    });
  } catch (error) {
    job.lock.leaveStopped();
    throw recordFailure(error, job);
  } finally {
    ended.abort();
  }
}

/** A record that cannot be written any more ends the run: what is not recorded would be lost. */
function recordFailure(error: unknown, { record }: BulkJob): unknown {
  if (error instanceof RunFileLostError) {
    return new ProjectFailure(`the record ${record.path} is lost: ${error.reason}`, {
      help: 'What ran is recorded nowhere: run the rows again, and leave the folder of the records alone meanwhile.',
      code: 'RecordLost',
      kind: 'failed',
    });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof RunFileError) && !/^E[A-Z]+$/.test(code)) return error;
  return new ProjectFailure(`the record ${record.path} cannot be written: ${reasonOf(error)}`, {
    help: 'What was recorded is kept; once there is room the run goes on.',
    code: 'RecordNotWritable',
    kind: 'failed',
  });
}
