import {
  type BulkEvent,
  type BulkResult,
  RunFileError,
  RunFileLostError,
  type RunStore,
  runBulk,
} from '@unroll/engine';
import type { RunLock } from '@unroll/project';
import { findPrices, nodePrices, ProjectFailure, reasonOf } from '@unroll/project';
import { countRecorded } from '../bulk/bulk-record.ts';
import { type BulkReporter, createReporter } from '../bulk/bulk-reporter.ts';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import type { BulkSettings } from '../bulk/bulk-settings.ts';
import { createProgress, type Progress, type ProgressView } from '../bulk/progress.ts';
import { recordView } from '../bulk/record-view.ts';
import { openBudget, type RunBudget } from '../bulk/run-budget.ts';
import type { CommandCall } from '../command-spec.ts';
import { outputClosed } from '../io.ts';
import { printJsonLine } from '../runs/run-result.ts';
import { tellUnseen } from '../runs/tell-unseen.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { exitCodeOf, resumeCommand, tell } from './end-bulk.ts';
import type { FlowForRun } from './open-for-run.ts';
import { refuseOtherRow } from './refuse-changed.ts';

/** A run ready to go: its flow, rows, record and lock. */
export interface Execution {
  readonly opened: FlowForRun;
  readonly settings: BulkSettings;
  readonly rows: BulkRows;
  readonly store: RunStore;
  readonly lock: RunLock;
  readonly record: { readonly id: string; readonly file: string; readonly path: string };
  readonly call: CommandCall;
  readonly isResumed: boolean;
}

/** What a run that stopped for its budget spent of it. */
export type Reached = string | undefined;

/** Runs to the end, tells it, and gives the exit code. */
export async function execute(execution: Execution): Promise<number> {
  const { result, view, reached } = await perform(execution);
  tell(result, view, execution, reached);
  return exitCodeOf(result, execution.call.options['allowFailures'] === true);
}

interface Performed {
  readonly result: BulkResult;
  readonly view: ProgressView;
  readonly reached: Reached;
}

export async function perform(execution: Execution): Promise<Performed> {
  const { opened, rows, store, record, call, isResumed } = execution;
  const { io, options } = call;
  const { flow, connections, paces } = opened;
  const startedAt = io.now();
  const priceOf = nodePrices(flow.plan, connections, findPrices(io));
  const before = isResumed ? countRecorded(store) : { completed: 0, failed: 0 };
  const nodes = store.info.nodes;
  const progress = createProgress({ nodes, startedAt, total: rows.data.total, before, priceOf, paces });
  const style = createStyle(usesColor(io.stderr, io, options['color']));
  const about = `${rows.about}  ${record.id}`;
  const how = { json: options['json'] === true, quiet: options['quiet'] === true };
  if (how.json) io.stdout.write(printJsonLine(startedEvent(execution)));
  using budget = openBudget(execution.settings.budget ?? {}, store, priceOf, startedAt);
  const reporter = createReporter({ progress, io, title: flow.plan.name, about, style }, how);
  const result = await run(execution, progress, reporter, budget);
  tellUnseen(flow, io);
  if (result.stopped) execution.lock.leaveStopped();
  if (result.timedOut) io.stderr.write(timedOutText(execution.settings));
  const view = {
    ...(isResumed ? recordView(store, priceOf) : progress.view(io.now())),
    elapsedMs: io.now() - startedAt,
  };
  return { result, view, reached: budget.reached() };
}

/** Prompt flow's words (`BatchRunTimeoutError`). */
function timedOutText({ timeoutMs = 0 }: BulkSettings): string {
  return `The batch run failed due to timeout [${timeoutMs / 1000}s]. Please adjust the timeout to a higher value.\n`;
}

function startedEvent({ opened, rows, record, isResumed }: Execution) {
  return {
    event: isResumed ? 'run-resumed' : 'run-started',
    run_id: record.id,
    record: record.path,
    flow: opened.flow.plan.name,
    data: rows.data.path ?? null,
    rows: rows.data.total ?? null,
  };
}

async function run(
  execution: Execution,
  progress: Progress,
  reporter: BulkReporter,
  budget: RunBudget,
): Promise<BulkResult> {
  const { opened, settings, rows, store, record, call } = execution;
  const { io } = call;
  const interrupted = io.interruption(() => {
    reporter.end();
    io.stderr.write(`ended at once; it goes on with\n  ${resumeCommand(execution)}\n`);
  });
  const stop = AbortSignal.any([interrupted, budget.stop]);
  const ended = new AbortController();
  const onStop = (): void => {
    if (stop.reason !== outputClosed) reporter.stopping(budget.reached());
  };
  stop.addEventListener('abort', onStop, { signal: ended.signal });
  const onEvent = (event: BulkEvent): void => {
    if (event.type === 'row-started') progress.rowStarted();
    else if (event.type === 'node-started') progress.nodeStarted(event.node);
    else if (event.type === 'node-ended') {
      progress.nodeEnded(event.run);
      budget.nodeEnded(event.run);
    } else if (event.type === 'row-ended') {
      progress.rowEnded(event.row);
      reporter.rowEnded(event.row);
    } else if (event.type === 'row-skipped') refuseOtherRow(event, opened.flow.plan, store.info, call);
  };
  const { concurrency, rowTimeoutMs, timeoutMs, repeat } = settings;
  try {
    const result = await runBulk(opened.flow, rows.rows, store, {
      ...{ runId: record.id, concurrency, rowTimeoutMs, timeoutMs, repeat, stop, onEvent },
    });
    // Only now it is known whether there was anything left to stop.
    const isUnread = result.stopped && stop.reason === outputClosed;
    if (isUnread) io.stderr.write(`${unreadText}\n  ${resumeCommand(execution)}\n`);
    return result;
  } catch (error) {
    execution.lock.leaveStopped();
    throw recordFailure(error, execution);
  } finally {
    ended.abort();
    reporter.end();
  }
}

/** A run costs money: one whose rows nobody looks at any more (`flow run --json | head`) is stopped as by Ctrl-C. */
const unreadText = 'stopped: nobody reads the output any more; the run goes on with';

/** A record that cannot be written any more ends the run: what is not recorded would be lost. */
function recordFailure(error: unknown, execution: Execution): unknown {
  if (error instanceof RunFileLostError) {
    return new ProjectFailure(`the record ${execution.record.path} is lost: ${error.reason}`, {
      help: 'What ran is recorded nowhere: run the rows again, and leave the folder of the records alone meanwhile.',
      code: 'RecordLost',
      kind: 'failed',
    });
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof RunFileError) && !/^E[A-Z]+$/.test(code)) return error;
  return new ProjectFailure(`the record ${execution.record.path} cannot be written: ${reasonOf(error)}`, {
    help: `What was recorded is kept; once there is room the run goes on with\n  ${resumeCommand(execution)}`,
    code: 'RecordNotWritable',
    kind: 'failed',
  });
}
