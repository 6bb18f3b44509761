import type { JsonObject, RunEvent } from '@unroll/engine';
import { withNewBulk, withResumedBulk } from '../bulk/open-bulk.ts';
import { type BulkJob, type BulkJobEvent, type BulkOutcome, runBulkJob } from '../bulk/run-bulk-job.ts';
import { findFlow } from '../flows/find-flow.ts';
import { openForRun } from '../flows/open-for-run.ts';
import { type NodeOutcome, runFlowNode } from '../flows/run-flow-node.ts';
import { type RowOutcome, runFlowRow } from '../flows/run-flow-row.ts';
import { testInputs, unknownInputs } from '../flows/test-inputs.ts';
import type { Notice } from '../host/notice.ts';
import { type ProjectHost, withNotice } from '../host/project-host.ts';
import { type Parity, runParity } from '../parity/run-parity.ts';
import { type Operation, startOperation } from './operation.ts';
import { readSettings } from './read-settings.ts';
import {
  bulkSettingsOf,
  type DatasetRunSettings,
  datasetRunSettings,
  definedOf,
  type NodeRunSettings,
  nodeRunSettings,
  type ParitySettings,
  paritySettings,
  type ResumeRunSettings,
  type RowRunSettings,
  resumeRunSettings,
  rowRunSettings,
} from './settings.ts';

/** Something doubtful was met; it is told beside the result. */
export interface NoticeEvent {
  readonly type: 'notice';
  readonly notice: Notice;
}

/** What happens in a run of one row; the last event holds its result. */
export type RowRunEvent = RunEvent | NoticeEvent | { readonly type: 'row-run-ended'; readonly outcome: RowOutcome };

/** What happens in a run over data, nodes apart; the last event holds its result. */
export type DatasetRunEvent =
  | Extract<BulkJobEvent, { readonly type: 'run-started' | 'row-ended' | 'run-stopping' | 'rows-ended' }>
  | NoticeEvent
  | { readonly type: 'run-ended'; readonly outcome: BulkOutcome };

/** Tells notices as events too. */
export function emittingNotices(host: ProjectHost, emit: (event: NoticeEvent) => void): ProjectHost {
  return withNotice(host, (notice) => {
    emit({ type: 'notice', notice });
    host.notice(notice);
  });
}

export function startRow(
  flow: string,
  inputs: JsonObject,
  given: RowRunSettings,
  host: ProjectHost,
): Operation<RowRunEvent, RowOutcome> {
  const { signal: asked, streamsText, name, ...settings } = readSettings(rowRunSettings, given);
  return startOperation<RowRunEvent, RowOutcome>(async (emit, signal) => {
    const telling = emittingNotices(host, emit);
    const found = findFlow(flow, host);
    const { durable, ...ofFlow } = bulkSettingsOf(flow, settings, host);
    const { budget, rowBudget, variant, since } = ofFlow;
    const limits = budget === undefined && rowBudget === undefined ? {} : { rowBudget: { ...budget, ...rowBudget } };
    const opened = await openForRun(found, { ...ofFlow, ...limits }, telling);
    await using ready = opened.flow;
    const known = ready.plan.inputs.map((input) => input.name);
    for (const message of unknownInputs(inputs, known)) telling.notice({ kind: 'warning', message });
    const record = definedOf({ id: name, since, durable, options: definedOf({ variant }) }) as { options: JsonObject };
    const streaming = streamsText === true ? ({ nodes: 'all', tokens: true } as const) : undefined;
    const bound = testInputs(ready.plan, inputs);
    const outcome = await runFlowRow(ready, found, bound, { record, signal, onEvent: emit, streaming }, telling);
    emit({ type: 'row-run-ended', outcome });
    return outcome;
  }, asked);
}

/** What happens in a run of one node; the last event holds its result. */
export type NodeRunEvent = RunEvent | NoticeEvent | { readonly type: 'node-run-ended'; readonly outcome: NodeOutcome };

export function startNode(
  flow: string,
  { node, inputs }: { readonly node: string; readonly inputs: JsonObject },
  given: NodeRunSettings,
  host: ProjectHost,
): Operation<NodeRunEvent, NodeOutcome> {
  const { signal: asked, name, from, ...settings } = readSettings(nodeRunSettings, given);
  return startOperation<NodeRunEvent, NodeOutcome>(async (emit, signal) => {
    const telling = emittingNotices(host, emit);
    const found = findFlow(flow, host);
    const { since, durable, ...ofFlow } = bulkSettingsOf(flow, settings, host);
    const opened = await openForRun(found, { ...ofFlow, since, only: new Set([node]) }, telling);
    await using ready = opened.flow;
    const record = { ...(name === undefined ? {} : { id: name }), since, durable };
    const wanted = { node, inputs: { fromFile: inputs, fromPairs: {} } };
    const outcome = await runFlowNode(ready, found, wanted, { record, from, signal, onEvent: emit }, telling);
    emit({ type: 'node-run-ended', outcome });
    return outcome;
  }, asked);
}

/** What happens while a flow is run again on the rows of a run. */
export type ParityEvent = NoticeEvent | { readonly type: 'row-ended'; readonly ended: number; readonly total: number };

export function startParity(
  flow: string,
  run: string,
  given: ParitySettings,
  host: ProjectHost,
): Operation<ParityEvent, Parity> {
  const { signal: asked, rows = 5, ...settings } = readSettings(paritySettings, given);
  return startOperation<ParityEvent, Parity>(async (emit, signal) => {
    const onRow = (ended: number, total: number): void => emit({ type: 'row-ended', ended, total });
    const bulk = bulkSettingsOf(flow, settings, host);
    return await runParity({ flow, run, rows }, bulk, { signal, onRow }, emittingNotices(host, emit));
  }, asked);
}

/** A run over data under way. */
export type DatasetRun = Operation<DatasetRunEvent, BulkOutcome>;

export function startDataset(flow: string, given: DatasetRunSettings, host: ProjectHost): DatasetRun {
  const { signal: asked, ...settings } = readSettings(datasetRunSettings, given);
  return startOperation<DatasetRunEvent, BulkOutcome>(async (emit, signal) => {
    const telling = emittingNotices(host, emit);
    const work = (job: BulkJob): Promise<BulkOutcome> => followed(job, telling, emit, signal);
    return await withNewBulk(bulkSettingsOf(flow, settings, host), telling, work);
  }, asked);
}

export function startResumed(
  run: string,
  mode: 'resume' | 'retry-failed',
  given: ResumeRunSettings,
  host: ProjectHost,
): DatasetRun {
  const read = readSettings(resumeRunSettings, given);
  const { signal: asked, environment = {}, init = {}, data, cassette, ignoresEarlier, force, durable, ...pace } = read;
  const rest = definedOf({ data, cassette, ignoresEarlier, force, durable }) as object;
  return startOperation<DatasetRunEvent, BulkOutcome>(async (emit, signal) => {
    const telling = emittingNotices(host, emit);
    const settings = { mode, environment, init, pace: definedOf(pace) as object, ...rest };
    return await withResumedBulk(run, settings, telling, (job) => followed(job, telling, emit, signal));
  }, asked);
}

/** The run, its events told but for those of nodes. */
export async function followed(
  job: BulkJob,
  host: ProjectHost,
  emit: (event: DatasetRunEvent) => void,
  signal: AbortSignal,
): Promise<BulkOutcome> {
  const onEvent = (event: BulkJobEvent): void => {
    if (isTold(event)) emit(event);
  };
  const outcome = await runBulkJob(job, host, { signal, onEvent });
  emit({ type: 'run-ended', outcome });
  return outcome;
}

const told: readonly string[] = ['run-started', 'row-ended', 'run-stopping', 'rows-ended'];

function isTold(event: BulkJobEvent): event is Exclude<DatasetRunEvent, NoticeEvent | { type: 'run-ended' }> {
  return told.includes(event.type);
}
