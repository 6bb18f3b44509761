import { resolve } from 'node:path';
import {
  type BulkEvent,
  type BulkResult,
  flowFilesOf,
  type Plan,
  RunFileError,
  type RunInfo,
  type RunStore,
  runBulk,
} from '@unroll/engine';
import { bulkOutcomeJson, bulkStatus } from '../bulk/bulk-outcome.ts';
import { countRecorded, startRecord } from '../bulk/bulk-record.ts';
import { type BulkReporter, createReporter } from '../bulk/bulk-reporter.ts';
import { type BulkRows, openBulkRows } from '../bulk/bulk-rows.ts';
import { type BulkSettings, givenPace, readBulkSettings } from '../bulk/bulk-settings.ts';
import { bulkSummaryText } from '../bulk/bulk-summary.ts';
import { holdYoungGeneration } from '../bulk/hold-young-generation.ts';
import { findPrices, nodePrices } from '../bulk/prices.ts';
import { createProgress, type Progress, type ProgressView } from '../bulk/progress.ts';
import { recordView } from '../bulk/record-view.ts';
import { settingsFromRecord } from '../bulk/recorded-settings.ts';
import { openBudget, type RunBudget } from '../bulk/run-budget.ts';
import { lockRun, type RunLock } from '../bulk/run-lock.ts';
import { CommandFailure } from '../command-failure.ts';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { outputClosed } from '../io.ts';
import { textOf } from '../option-values.ts';
import { continueRecord } from '../runs/open-record.ts';
import { reasonOf } from '../runs/record-run.ts';
import { flowDigest } from '../runs/run-info.ts';
import { printJsonLine } from '../runs/run-result.ts';
import { findRun, runArgument, runIdOf, runsFolder } from '../runs/runs-folder.ts';
import { sinceOf } from '../runs/since-run.ts';
import { writeBulkOutputs } from '../runs/write-outputs.ts';
import { shownPath } from '../text/shown-path.ts';
import { createStyle, usesColor } from '../text/style.ts';
import { type FoundFlow, findFlow } from './locate.ts';
import { type FlowForRun, type GivenOutputs, openForRun } from './open-for-run.ts';

/** Runs a flow over all rows of its data, each recorded. */
export async function startBulk(settings: BulkSettings, call: CommandCall): Promise<number> {
  return (await start(settings, call, execute)) ?? exitCode.wrong;
}

/**
 * Runs a flow over all rows for another command to go on with the record; progress is shown, no summary.
 *
 * @returns undefined when the flow cannot run, which was told
 */
export async function runForRecord(
  settings: BulkSettings,
  call: CommandCall,
  given?: GivenOutputs,
): Promise<{ readonly file: string; readonly stopped: boolean } | undefined> {
  const { json, quiet, ...options } = call.options;
  const quietly = { ...call, options: { ...options, quiet: json === true || quiet === true } };
  const work = async (execution: Execution): Promise<{ readonly file: string; readonly stopped: boolean }> => {
    const { stopped } = (await perform(execution)).result;
    return { file: execution.record.file, stopped };
  };
  return await start(settings, quietly, work, given);
}

async function start<T>(
  settings: BulkSettings,
  call: CommandCall,
  work: (execution: Execution) => Promise<T>,
  given?: GivenOutputs,
): Promise<T | undefined> {
  const found = findFlow(settings.flow, call.io);
  const opened = await openForRun(found, { ...settings, since: sinceOf(call), given, inThreads: true }, call);
  if (opened === undefined) return undefined;
  await using flow = opened.flow;
  const rows = await openBulkRows(flow.plan, settings, call);
  const record = startRecord(flow, found, settings, rows, call);
  await using store = record.store;
  using lock = lockRun(record.file, record.id);
  return await work({ opened, settings, rows, store, lock, record, call, isResumed: false });
}

/** Goes on with a recorded run: with the rows that are missing, and for `retry-failed` with those that failed. */
export async function resumeBulk(given: string, mode: 'resume' | 'retry-failed', call: CommandCall): Promise<number> {
  const { io, options } = call;
  const file = findRun(given, runsFolder(options, io), io);
  using lock = lockRun(file, runIdOf(file));
  await using store = continueRecord(file, { durable: options['durable'] === true });
  const { info } = store;
  refuseGiven(info);
  const recorded = settingsFromRecord(info, readBulkSettings(call));
  const settings: BulkSettings = { ...recorded, ...givenPace(call), ...dataAgain(recorded, call) };
  const found = findFlow(info.flowPath, io);
  const opened = await openForRun(found, { ...settings, since: recordedSince(info, call), inThreads: true }, call);
  if (opened === undefined) return exitCode.wrong;
  await using flow = opened.flow;
  const rows = await openBulkRows(flow.plan, settings, call);
  refuseChanged(store, flow.plan, found, rows, call);
  if (mode === 'retry-failed') await store.reopen(failedRows(store));
  const record = { id: info.id, file, path: shownPath(file, io.folder) };
  return await execute({ opened, settings, rows, store, lock, record, call, isResumed: true });
}

/** @throws CommandFailure where outputs of the run were given: nobody knows any more which */
function refuseGiven({ id, options }: RunInfo): void {
  if (options?.['oracle'] === undefined) return;
  throw new CommandFailure(`outputs of run ${id} were given to it, which a record does not keep`, {
    help: 'flow eval EVAL --oracle NODE makes such a run anew.',
  });
}

/** A run goes on with the one its outputs were taken from; `--no-cache` leaves that one alone. */
function recordedSince({ options: recorded }: RunInfo, { options }: CommandCall): string | undefined {
  const since = recorded?.['since'];
  return typeof since === 'string' && options['cache'] !== false ? since : undefined;
}

/** Rows that came from standard input are not there any more: they are to be given again. */
function dataAgain({ data }: Pick<BulkSettings, 'data'>, { options }: CommandCall): Pick<BulkSettings, 'data'> {
  const given = textOf(options, 'data');
  if (given !== undefined) return { data: given };
  if (data !== '-') return {};
  throw new CommandFailure('the rows of this run came from standard input', {
    help: 'Give the same rows again: --data FILE, or --data - with the rows on standard input.',
  });
}

/** @throws CommandFailure when flow or data are not what they were, unless `--force` says to go on anyway */
function refuseChanged(
  store: RunStore,
  plan: Plan,
  found: FoundFlow,
  rows: BulkRows,
  { io, options }: CommandCall,
): void {
  const { info } = store;
  const isFlowChanged = flowDigest(plan, flowFilesOf(found, io.folder).files) !== info.flowDigest;
  const { digest } = rows.data;
  const isDataChanged = info.data?.digest !== undefined && digest !== undefined && digest !== info.data.digest;
  const changed = [...(isFlowChanged ? [info.flowPath] : []), ...(isDataChanged ? [rows.data.path] : [])].join(' and ');
  if (changed === '') return;
  if (options['force'] === true) {
    io.stderr.write(`warning: ${changed} changed since run ${info.id} began: its rows will not all be of one kind\n`);
    return;
  }
  throw new CommandFailure(`${changed} changed since run ${info.id} began`, {
    help: 'A new run keeps the two apart; --force goes on with this one all the same.',
    code: 'FlowChanged',
  });
}

function* failedRows(store: RunStore): Generator<{ readonly line: number; readonly repeat: number }> {
  for (const { status, line, repeat = 0 } of [...store.rowEnds()]) if (status !== 'Completed') yield { line, repeat };
}

interface Execution {
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
type Reached = string | undefined;

async function execute(execution: Execution): Promise<number> {
  const { result, view, reached } = await perform(execution);
  tell(result, view, execution, reached);
  return exitCodeOf(result, execution.call.options['allowFailures'] === true);
}

interface Performed {
  readonly result: BulkResult;
  readonly view: ProgressView;
  readonly reached: Reached;
}

async function perform(execution: Execution): Promise<Performed> {
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
  stop.addEventListener('abort', () => {
    if (stop.reason === outputClosed) io.stderr.write(`${unreadText}\n  ${resumeCommand(execution)}\n`);
    else reporter.stopping(budget.reached());
  });
  const hold = holdYoungGeneration();
  const onEvent = (event: BulkEvent): void => {
    if (event.type === 'row-started') {
      hold();
      progress.rowStarted();
    } else if (event.type === 'node-started') progress.nodeStarted(event.node);
    else if (event.type === 'node-ended') {
      progress.nodeEnded(event.run);
      budget.nodeEnded(event.run);
    } else if (event.type === 'row-ended') {
      progress.rowEnded(event.row);
      reporter.rowEnded(event.row);
    }
  };
  const { concurrency, rowTimeoutMs, timeoutMs, repeat } = settings;
  try {
    return await runBulk(opened.flow, rows.rows, store, {
      ...{ runId: record.id, concurrency, rowTimeoutMs, timeoutMs, repeat, stop, onEvent },
    });
  } catch (error) {
    execution.lock.leaveStopped();
    throw recordFailure(error, execution);
  } finally {
    reporter.end();
  }
}

/** A run costs money: one whose rows nobody looks at any more (`flow run --json | head`) is stopped as by Ctrl-C. */
const unreadText = 'stopping: nobody reads the output any more; rows in flight finish, the run goes on with';

/** A record that cannot be written any more ends the run: what is not recorded would be lost. */
function recordFailure(error: unknown, execution: Execution): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!(error instanceof RunFileError) && !/^E[A-Z]+$/.test(code)) return error;
  return new CommandFailure(`the record ${execution.record.path} cannot be written: ${reasonOf(error)}`, {
    help: `What was recorded is kept; once there is room the run goes on with\n  ${resumeCommand(execution)}`,
    code: 'RecordNotWritable',
    exitCode: exitCode.failed,
  });
}

function tell(result: BulkResult, view: ProgressView, execution: Execution, reached: Reached): void {
  const { record, store, call } = execution;
  const { io, options } = call;
  const status = bulkStatus(result);
  const metrics = store.metrics();
  const outcome = bulkOutcomeJson({ status, view, metrics, record, budget: reached });
  const folder = textOf(options, 'outputDir');
  if (folder !== undefined) writeBulkOutputs(resolve(io.folder, folder), store, printJsonLine(outcome, 2));
  if (options['json'] === true) {
    io.stdout.write(printJsonLine(outcome));
    return;
  }
  if (options['quiet'] === true) {
    io.stdout.write(`${record.id}\n`);
    return;
  }
  const style = createStyle(usesColor(io.stdout, io, options['color']));
  const next = nextCommands(result, execution, reached);
  io.stdout.write(
    bulkSummaryText(
      { view, metrics, record, run: runArgument(record.id, call.options), status, next, budget: reached },
      style,
      io.stdout.columns,
    ),
  );
}

function nextCommands({ stopped, failed }: BulkResult, execution: Execution, reached: Reached): readonly string[] {
  const { budget = {} } = execution.settings;
  const limits = Object.keys(budget).map((limit) => ` --budget-${limit} …`);
  return [
    ...(stopped ? [`${resumeCommand(execution)}${reached === undefined ? '' : limits.join('')}`] : []),
    ...(!stopped && failed > 0 ? [runCommand('run --retry-failed', execution)] : []),
    runCommand('show', execution),
  ];
}

function resumeCommand(execution: Execution): string {
  const { data } = execution.settings;
  return `${runCommand('run --resume', execution)}${data === '-' ? ' --data -' : ''}`;
}

function runCommand(command: string, { record, call }: Execution): string {
  return `flow ${command} ${runArgument(record.id, call.options)}`;
}

function exitCodeOf({ stopped, timedOut, failed, aggregation }: BulkResult, allowsFailures: boolean): number {
  if (timedOut) return exitCode.failed;
  if (stopped) return exitCode.interrupted;
  const hasFailed = failed > 0 || aggregation.some(({ status }) => status === 'Failed');
  return hasFailed && !allowsFailures ? exitCode.failed : exitCode.done;
}
