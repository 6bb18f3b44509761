import {
  type BulkResult,
  type RunEvent,
  RunFileError,
  RunFileLostError,
  type RunLog,
  runBulk,
  type Streaming,
} from '@unroll/engine';
import type { AnswerWatch } from '../flows/answer-watch.ts';
import type { FlowForRun } from '../flows/open-for-run.ts';
import { reportReads } from '../flows/report-reads.ts';
import { watchAnswers } from '../flows/watch-answers.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { reasonOf } from '../host/refusal.ts';
import type { BulkOutcome, RunRecord } from '../host/run-outcome.ts';
import type { ProgressView } from '../host/run-progress.ts';
import { nodePrices } from '../prices/node-prices.ts';
import { findPrices } from '../prices/price-list.ts';
import type { RunLock } from '../records/run-lock.ts';
import { countRecorded } from './bulk-record.ts';
import type { BulkRows } from './bulk-rows.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { bulkStatus } from './bulk-status.ts';
import { createProgress, type Progress } from './progress.ts';
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
  readonly record: RunRecord;
  readonly isResumed: boolean;
  /** As in `BulkOptions`. */
  readonly beginsRowsAnew?: boolean;
  /** Which answers of models are told piece by piece. */
  readonly streaming?: Streaming | undefined;
  /** Aborted, rows in flight are given up. */
  readonly giveUp?: AbortSignal | undefined;
}

/**
 * Runs to the end.
 *
 * @param signal aborted, the run starts no new row
 * @throws ProjectFailure when the record cannot be written any more, or an earlier attempt spent the budget already
 */
export async function runBulkJob(job: BulkJob, host: ProjectHost, signal?: AbortSignal): Promise<BulkOutcome> {
  const { opened, rows, store, record, settings, isResumed } = job;
  const { flow, connections, paces } = opened;
  const startedAt = host.steadyNow();
  const priceOf = nodePrices(flow.plan, connections, findPrices(host));
  const before = isResumed ? await countRecorded(store) : { completed: 0, failed: 0 };
  const { total, path: data } = rows.data;
  const progress = createProgress({ nodes: store.info.nodes, startedAt, total, before, priceOf, paces });
  const view = (): ProgressView => progress.view(host.steadyNow());
  using budget = await openBudget(settings.budget ?? {}, store, priceOf, startedAt);
  host.report({
    type: 'run-started',
    kind: 'dataset',
    plan: flow.plan,
    record,
    isResumed,
    given: settings.oracle,
    data,
    about: rows.about,
    total,
    progress: view,
  });
  const answers = watchAnswers(flow.plan);
  const ran = await runRows(job, { progress, budget, answers }, host, signal);
  const result = { ...ran, stopped: ran.stopped || hasReadLess(ran.rows, job, host) };
  reportReads(flow, host);
  answers.tell(host);
  if (result.stopped) job.lock.leaveStopped();
  const outcome: BulkOutcome = {
    kind: 'dataset',
    result,
    status: bulkStatus(result),
    view: { ...(isResumed ? await recordView(store, priceOf) : view()), elapsedMs: host.steadyNow() - startedAt },
    metrics: await store.metrics(),
    record,
    budget: budget.reached(),
    limits: { timeoutMs: settings.timeoutMs, budget: settings.budget },
  };
  host.report({ type: 'run-ended', outcome });
  return outcome;
}

/**
 * Rows that were counted when the run began may be gone when it comes to them; those that came meanwhile ran. A run that goes
 * on may have had more rows before.
 */
function hasReadLess(read: number, { rows, isResumed }: BulkJob, host: ProjectHost): boolean {
  const { total, path } = rows.data;
  if (total === undefined || read === total || (isResumed && read > total)) return false;
  const message = `${path} changed while the run read it: it had ${total} rows before the first ran, and ${read} were read`;
  notify(host, { kind: 'warning', message });
  return read < total;
}

/** What follows the run, and may stop it. */
interface Followers {
  readonly progress: Progress;
  readonly budget: RunBudget;
  readonly answers: AnswerWatch;
}

async function runRows(
  job: BulkJob,
  followers: Followers,
  host: ProjectHost,
  signal: AbortSignal | undefined,
): Promise<BulkResult> {
  const { opened, settings, rows, store, record } = job;
  const { budget } = followers;
  const stop = signal === undefined ? budget.stop : AbortSignal.any([signal, budget.stop]);
  const ended = new AbortController();
  const onStop = (): void => host.report({ type: 'run-stopping', budget: budget.reached() });
  stop.addEventListener('abort', onStop, { signal: ended.signal });
  const count = countingReporter(job, followers);
  const onEvent = (event: RunEvent): void => {
    count(event);
    host.report(event);
  };
  const { concurrency, pace, rowTimeoutMs, timeoutMs, repeat } = settings;
  let stopped = true;
  try {
    const result = await runBulk(opened.flow, rows.rows, store, {
      runId: record.id,
      concurrency: pace ?? concurrency,
      rowTimeoutMs,
      timeoutMs,
      repeat,
      beginsRowsAnew: job.beginsRowsAnew,
      stop,
      onEvent,
      streaming: job.streaming,
      signal: job.giveUp,
    });
    stopped = result.stopped;
    return result;
  } catch (error) {
    job.lock.leaveStopped();
    throw recordFailure(error, job);
  } finally {
    ended.abort();
    host.report({ type: 'rows-ended', stopped });
  }
}

/** What the run itself has to know of what happens. */
function countingReporter(job: BulkJob, { progress, budget, answers }: Followers): (event: RunEvent) => void {
  return (event) => {
    if (event.type === 'row-started') progress.rowStarted();
    else if (event.type === 'node-started') progress.nodeStarted(event.node);
    else if (event.type === 'call-failed') progress.callFailed(event.node, event.error.code);
    else if (event.type === 'node-ended') {
      progress.nodeEnded(event.run);
      budget.nodeEnded(event.run);
      answers.nodeEnded(event.run);
    } else if (event.type === 'row-ended') progress.rowEnded(event.row);
    else if (event.type === 'row-skipped') refuseOtherRow(event, job.opened.flow.plan, job.store.info, job);
  };
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
