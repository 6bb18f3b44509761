import { eachOf, type RowId, type RunInfo, type RunReader, shownPath } from '@unroll/engine';
import { findFlow } from '../flows/find-flow.ts';
import type { CassetteSettings, OracleOutputs } from '../flows/flow-settings.ts';
import { replayDigest } from '../flows/open-cassette.ts';
import { openForRun } from '../flows/open-for-run.ts';
import { madeWith } from '../host/made-with.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { continueRecord } from '../records/open-record.ts';
import { runIdOf } from '../records/record-place.ts';
import { lockRun } from '../records/run-lock.ts';
import { findRunFile } from '../records/runs-folder.ts';
import { askAgain } from './ask-again.ts';
import { startRecord } from './bulk-record.ts';
import { openBulkRows } from './bulk-rows.ts';
import type { BulkSettings } from './bulk-settings.ts';
import { recordedCassette, settingsFromRecord } from './recorded-settings.ts';
import { refuseChanged } from './refuse-changed.ts';
import type { BulkJob } from './run-bulk-job.ts';

/**
 * Makes a run over data ready, its record begun, and closes everything when the work with it is done.
 *
 * @param given outputs that nodes are given
 * @throws ProjectFailure when there is no such flow or data, or nothing can be recorded
 */
export async function withNewBulk<T>(
  settings: BulkSettings,
  host: ProjectHost,
  work: (job: BulkJob) => Promise<T>,
  given?: OracleOutputs,
): Promise<T> {
  const found = findFlow(settings.flow, host);
  const opened = await openForRun(found, { ...settings, given }, host);
  await using flow = opened.flow;
  const rows = await openBulkRows(flow.plan, settings, host);
  const record = startRecord(flow, found, settings, rows, host);
  await using store = record.store;
  using lock = lockRun(record.file, record.id);
  return await work({ opened, settings, rows, store, lock, record, isResumed: false });
}

/** How a recorded run is to go on; what is not given stays as it was recorded. */
export interface ResumeSettings {
  /** The rows that are missing, or also those that failed. */
  readonly mode: 'resume' | 'retry-failed';
  /** Pace and limits, where they are to be others. */
  readonly pace: Partial<BulkSettings>;
  /** Given again: a record holds no values of these. */
  readonly environment: Readonly<Record<string, string>>;
  readonly init: BulkSettings['init'];
  /** Given again where the rows came from standard input. */
  readonly data?: string | undefined;
  readonly cassette?: CassetteSettings | undefined;
  /** Takes no outputs from the run that it was begun with. */
  readonly ignoresEarlier?: boolean;
  /** Goes on though flow or data are others now. */
  readonly force?: boolean;
  readonly durable?: boolean;
}

/**
 * Makes a recorded run ready to go on, and closes everything when the work with it is done.
 *
 * @throws ProjectFailure when there is no such run, it cannot go on, or is another one now
 */
export async function withResumedBulk<T>(
  given: string,
  asked: ResumeSettings,
  host: ProjectHost,
  work: (job: BulkJob) => Promise<T>,
): Promise<T> {
  const { mode, pace, durable = false, force = false } = asked;
  const file = findRunFile(given, host);
  using lock = lockRun(file, runIdOf(file));
  await using store = continueRecord(file, host, { durable });
  const { info } = store;
  refuseGiven(info);
  const recorded = settingsFromRecord(info, asked);
  const cassette = resumedCassette(asked.cassette ?? recordedCassette(info));
  const settings: BulkSettings = { ...recorded, ...pace, ...dataAgain(recorded, asked), cassette };
  const found = findFlow(info.flowPath, host);
  const opened = await openForRun(found, { ...settings, since: recordedSince(info, asked) }, host);
  await using flow = opened.flow;
  const rows = await openBulkRows(flow.plan, settings, host, true);
  const beginsRowsAnew = await refuseChanged(store.info, flow, found, rows, { force }, host);
  reportOtherProgram(info, host);
  reportOtherAnswers(info, cassette, host);
  await askAgain(opened, store, settings.repeat);
  if (mode === 'retry-failed')
    await store.reopen((await failedRows(store)).map((row) => ({ ...row, isAnew: beginsRowsAnew })));
  const record = { id: runIdOf(file), file, path: shownPath(file, host.folder) };
  return await work({ opened, settings, rows, store, lock, record, isResumed: true, force, beginsRowsAnew });
}

function resumedCassette(cassette: CassetteSettings | undefined): CassetteSettings | undefined {
  return cassette === undefined || 'replay' in cassette ? cassette : { ...cassette, isResumed: true };
}

/** @throws ProjectFailure where outputs of the run were given: nobody knows any more which */
function refuseGiven({ id, options }: RunInfo): void {
  if (options?.['trial'] !== undefined) {
    throw new ProjectFailure(`run ${id} tried a change that stands in no file`, {
      help: 'The playground of the studio tries it again.',
    });
  }
  if (options?.['oracle'] === undefined) return;
  throw new ProjectFailure(`outputs of run ${id} were given to it, which a record does not keep`, {
    help: 'flow eval EVAL --oracle NODE makes such a run again.',
  });
}

/** A run goes on with the one its outputs were taken from. */
function recordedSince({ options: recorded }: RunInfo, { ignoresEarlier }: ResumeSettings): string | undefined {
  const since = recorded?.['since'];
  return typeof since === 'string' && ignoresEarlier !== true ? since : undefined;
}

/** Rows that came from standard input are not there any more: they are to be given again. */
function dataAgain({ data }: Pick<BulkSettings, 'data'>, asked: ResumeSettings): Pick<BulkSettings, 'data'> {
  if (asked.data !== undefined) return { data: asked.data };
  if (data !== '-') return {};
  throw new ProjectFailure('the rows of this run came from standard input', {
    help: 'Give the same rows again: --data FILE, or --data - with the rows on standard input.',
  });
}

/** The record tells who began the run: that its other rows come from another one is told here. */
function reportOtherProgram({ id, madeWith: began }: RunInfo, host: ProjectHost): void {
  const now = madeWith();
  if (began === undefined || (began.version === now.version && began.build === now.build)) return;
  const text = ({ version, build }: typeof now): string => `${version} (build ${build})`;
  const message = `run ${id} was begun with Unroll ${text(began)} and goes on with ${text(now)}`;
  notify(host, { kind: 'warning', message });
}

/** Calls that were missing may have come onto it on purpose: that it is another one now is told, and refuses nothing. */
function reportOtherAnswers(info: RunInfo, cassette: CassetteSettings | undefined, host: ProjectHost): void {
  const { id, options } = info;
  const [began, now] = [options?.['cassetteDigest'], replayDigest(cassette, host)];
  if (began === undefined || now === undefined || began === now) return;
  const [was, is] = [recordedCassette(info), cassette].map((one) => (one && 'replay' in one ? one.replay : ''));
  const changed =
    was === is
      ? `${is} changed since run ${id} began`
      : `run ${id} was begun with the answers of ${was} and goes on with those of ${is}`;
  notify(host, { kind: 'warning', message: `${changed}: its rows will not all be answered from one cassette` });
}

async function failedRows(reader: RunReader): Promise<readonly RowId[]> {
  const failed: RowId[] = [];
  for await (const { status, line, repeat } of eachOf(reader.rowEnds())) {
    if (status !== 'Completed') failed.push({ line, repeat });
  }
  return failed;
}
