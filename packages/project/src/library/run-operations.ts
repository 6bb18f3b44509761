import type { JsonObject, NodeEvent } from '@unroll/engine';
import { defaultBulkSettings } from '../bulk/bulk-settings.ts';
import { unreadVariables } from '../bulk/bulk-variables.ts';
import { findFlow } from '../flows/find-flow.ts';
import { openForRun } from '../flows/open-for-run.ts';
import { readInputs } from '../flows/read-inputs.ts';
import { runFlowNode } from '../flows/run-flow-node.ts';
import { runFlowRow } from '../flows/run-flow-row.ts';
import { sampleInputs } from '../flows/sample-inputs.ts';
import { testInputs, unknownInputs } from '../flows/test-inputs.ts';
import type { DatasetRunStarted, ProjectEvent, SingleRunStarted } from '../host/project-event.ts';
import { alsoHeard, notify, type ProjectHost } from '../host/project-host.ts';
import { requireName, requireObject } from '../host/required-names.ts';
import type { BulkOutcome, NodeOutcome, RowOutcome } from '../host/run-outcome.ts';
import type { Parity } from '../parity/run-parity.ts';
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

/** What happens in a run of one row, or of one node. */
export type RowRunEvent = Exclude<ProjectEvent, DatasetRunStarted>;

/** What happens in runs over data, but for their nodes: the reporter of a project hears of those. */
export type DatasetRunEvent = Exclude<ProjectEvent, NodeEvent | SingleRunStarted>;

function isOfRow(event: ProjectEvent): event is RowRunEvent {
  return event.type !== 'run-started' || event.kind !== 'dataset';
}

function isOfDataset(event: ProjectEvent): event is DatasetRunEvent {
  const { type } = event;
  if (type === 'node-started' || type === 'node-ended' || type === 'text' || type === 'call-failed') return false;
  return type !== 'run-started' || event.kind === 'dataset';
}

/** The same host, heard by an operation as well. */
function heardByRow(host: ProjectHost, emit: (event: RowRunEvent) => void): ProjectHost {
  return alsoHeard(host, (event) => {
    if (isOfRow(event)) emit(event);
  });
}

export function heardByDataset(host: ProjectHost, emit: (event: DatasetRunEvent) => void): ProjectHost {
  return alsoHeard(host, (event) => {
    if (isOfDataset(event)) emit(event);
  });
}

export function startRow(
  flow: string | undefined,
  inputs: JsonObject,
  given: RowRunSettings,
  host: ProjectHost,
): Operation<RowRunEvent, RowOutcome> {
  const inputsGiven = readInputs(inputs);
  const { signal: asked, streamsText, usesSample = false, name, ...settings } = readSettings(rowRunSettings, given);
  return startOperation<RowRunEvent, RowOutcome>(async (emit, signal) => {
    const heard = heardByRow(host, emit);
    const found = findFlow(flow, host);
    const { durable, ...ofFlow } = await bulkSettingsOf(flow, settings, host);
    const { budget, rowBudget, variant, since, cassette } = ofFlow;
    const limits = budget === undefined && rowBudget === undefined ? {} : { rowBudget: { ...budget, ...rowBudget } };
    const opened = await openForRun(found, { ...ofFlow, ...limits }, heard);
    await using ready = opened.flow;
    const sample = usesSample ? sampleInputs(inputsGiven, ready.plan, found.folder, heard) : undefined;
    if (sample !== undefined) notify(heard, { kind: 'sample' });
    const given = sample ?? inputsGiven;
    const known = ready.plan.inputs.map((input) => input.name);
    for (const message of unknownInputs(given, known)) notify(heard, { kind: 'warning', message });
    const record = definedOf({ id: name, since, durable, options: definedOf({ variant, cassette }) }) as {
      options: JsonObject;
    };
    const streaming = streamsText === true ? ({ nodes: 'all', tokens: true } as const) : undefined;
    const bound = testInputs(ready.plan, given);
    return await runFlowRow(ready, found, bound, { record, signal, streaming }, heard);
  }, asked);
}

/** A node to be run alone. */
export interface AskedNode {
  readonly node: string;
  readonly inputs: JsonObject;
  /** Inputs that are typed as texts: each is read as the input's type asks for. They win over `inputs`. */
  readonly texts?: JsonObject;
}

export function startNode(
  flow: string | undefined,
  asked: AskedNode,
  given: NodeRunSettings,
  host: ProjectHost,
): Operation<RowRunEvent, NodeOutcome> {
  requireObject(asked, 'the node that is asked');
  const { node, inputs, texts = {} } = asked;
  requireName(node, 'a node');
  const fromFile = readInputs(inputs);
  const { signal: stop, name, from, ...settings } = readSettings(nodeRunSettings, given);
  return startOperation<RowRunEvent, NodeOutcome>(async (emit, signal) => {
    const heard = heardByRow(host, emit);
    const found = findFlow(flow, host);
    const { since, durable, ...ofFlow } = await bulkSettingsOf(flow, settings, host);
    const opened = await openForRun(found, { ...ofFlow, since, only: new Set([node]) }, heard);
    await using ready = opened.flow;
    const record = { ...(name === undefined ? {} : { id: name }), since, durable };
    const wanted = { node, inputs: { fromFile, fromPairs: texts } };
    return await runFlowNode(ready, found, wanted, { record, from, signal }, heard);
  }, stop);
}

export function startParity(
  flow: string | undefined,
  run: string,
  given: ParitySettings,
  host: ProjectHost,
): Operation<DatasetRunEvent, Parity> {
  const { signal: asked, rows = 5, ...settings } = readSettings(paritySettings, given);
  return startOperation<DatasetRunEvent, Parity>(async (emit, signal) => {
    const bulk = await bulkSettingsOf(flow, settings, host);
    const { runParity } = await import('../parity/run-parity.ts');
    return await runParity({ flow, run, rows }, bulk, heardByDataset(host, emit), signal);
  }, asked);
}

/** A run over data under way. */
export type DatasetRun = Operation<DatasetRunEvent, BulkOutcome>;

export function startDataset(flow: string | undefined, given: DatasetRunSettings, host: ProjectHost): DatasetRun {
  const { signal: asked, ...settings } = readSettings(datasetRunSettings, given);
  return startOperation<DatasetRunEvent, BulkOutcome>(async (emit, signal) => {
    const heard = heardByDataset(host, emit);
    const bulk = await bulkSettingsOf(flow, settings, host);
    for (const message of unreadVariables(settings, host)) notify(heard, { kind: 'warning', message });
    const { runBulkJob, withNewBulk } = await loadBulk();
    return await withNewBulk(bulk, heard, (job) => runBulkJob(job, heard, signal));
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
    const heard = heardByDataset(host, emit);
    // As in a new run, Prompt flow's variable limits the time of this attempt.
    const { timeoutMs } = { ...defaultBulkSettings(host), ...definedOf(pace) };
    const settings = { mode, environment, init, pace: definedOf({ ...pace, timeoutMs }) as object, ...rest };
    const { runBulkJob, withResumedBulk } = await loadBulk();
    return await withResumedBulk(run, settings, heard, (job) => runBulkJob(job, heard, signal));
  }, asked);
}

/** A single row does without what only many rows need. */
async function loadBulk() {
  const [{ withNewBulk, withResumedBulk }, { runBulkJob }] = await Promise.all([
    import('../bulk/open-bulk.ts'),
    import('../bulk/run-bulk-job.ts'),
  ]);
  return { withNewBulk, withResumedBulk, runBulkJob };
}
