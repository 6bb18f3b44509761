import type { RunInfo, RunStore } from '@unroll/engine';
import { continueRecord, findRun, lockRun, madeWith, ProjectFailure, runIdOf, shownPath } from '@unroll/project';
import { startRecord } from '../bulk/bulk-record.ts';
import { openBulkRows } from '../bulk/bulk-rows.ts';
import { type BulkSettings, givenPace, readBulkSettings } from '../bulk/bulk-settings.ts';
import { settingsFromRecord, withRecordedCassette } from '../bulk/recorded-settings.ts';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { hostOf } from '../project-host.ts';
import { sinceOf } from '../runs/given-run.ts';
import { type Execution, execute, perform } from './execute-bulk.ts';
import { findFlow } from './locate.ts';
import { type GivenOutputs, openForRun } from './open-for-run.ts';
import { refuseChanged } from './refuse-changed.ts';

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
  const opened = await openForRun(found, { ...settings, since: sinceOf(call), given }, call);
  if (opened === undefined) return undefined;
  await using flow = opened.flow;
  const rows = await openBulkRows(flow.plan, settings, call);
  const record = startRecord(flow, found, settings, rows, call);
  await using store = record.store;
  using lock = lockRun(record.file, record.id);
  return await work({ opened, settings, rows, store, lock, record, call, isResumed: false });
}

/** Goes on with a recorded run: with the rows that are missing, and for `retry-failed` with those that failed. */
export async function resumeBulk(given: string, mode: 'resume' | 'retry-failed', asked: CommandCall): Promise<number> {
  const { io, options } = asked;
  const file = findRun(given, hostOf({ options, io }));
  using lock = lockRun(file, runIdOf(file));
  await using store = continueRecord(file, hostOf(asked), { durable: options['durable'] === true });
  const { info } = store;
  refuseGiven(info);
  const call = withRecordedCassette(info, asked);
  const recorded = settingsFromRecord(info, readBulkSettings(call));
  const settings: BulkSettings = { ...recorded, ...givenPace(call), ...dataAgain(recorded, call) };
  const found = findFlow(info.flowPath, io);
  const opened = await openForRun(found, { ...settings, since: recordedSince(info, call) }, call);
  if (opened === undefined) return exitCode.wrong;
  await using flow = opened.flow;
  const rows = await openBulkRows(flow.plan, settings, call);
  refuseChanged(store.info, flow, found, rows, call);
  tellOtherProgram(info, call);
  if (mode === 'retry-failed') await store.reopen(failedRows(store));
  const record = { id: info.id, file, path: shownPath(file, io.folder) };
  return await execute({ opened, settings, rows, store, lock, record, call, isResumed: true });
}

/** @throws ProjectFailure where outputs of the run were given: nobody knows any more which */
function refuseGiven({ id, options }: RunInfo): void {
  if (options?.['oracle'] === undefined) return;
  throw new ProjectFailure(`outputs of run ${id} were given to it, which a record does not keep`, {
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
  throw new ProjectFailure('the rows of this run came from standard input', {
    help: 'Give the same rows again: --data FILE, or --data - with the rows on standard input.',
  });
}

/** The record tells who began the run: that its other rows come from another one is told here. */
function tellOtherProgram({ id, madeWith: began }: RunInfo, { io }: CommandCall): void {
  const now = madeWith();
  if (began === undefined || (began.version === now.version && began.build === now.build)) return;
  const text = ({ version, build }: typeof now): string => `${version} (build ${build})`;
  io.stderr.write(`warning: run ${id} was begun with Unroll ${text(began)} and goes on with ${text(now)}\n`);
}

function* failedRows(store: RunStore): Generator<{ readonly line: number; readonly repeat: number }> {
  for (const { status, line, repeat = 0 } of [...store.rowEnds()]) if (status !== 'Completed') yield { line, repeat };
}
