import { type JsonObject, type NodeError, type RowPace, type RunnableFlow, shownPath } from '@unroll/engine';
import { startRecord } from '../bulk/bulk-record.ts';
import type { BulkSettings } from '../bulk/bulk-settings.ts';
import { runBulkJob } from '../bulk/run-bulk-job.ts';
import { type FlowForRun, openForRun } from '../flows/open-for-run.ts';
import { findRates } from '../forecast/find-rates.ts';
import { forecastRun, type RunForecast } from '../forecast/forecast-run.ts';
import type { ProjectHost } from '../host/project-host.ts';
import type { BulkOutcome } from '../host/run-outcome.ts';
import { findPrices } from '../prices/price-list.ts';
import { lockRun } from '../records/run-lock.ts';
import { newRunId } from '../records/runs-folder.ts';
import { type EditedFlow, requireRunnable } from './edited-flow.ts';
import { type ChosenRows, triedRows } from './tried-rows.ts';
import type { TriedRun } from './tried-run.ts';

/** A change of a node of a recorded run, for some of its rows. */
export interface TriedChange {
  readonly run: TriedRun;
  readonly node: string;
  readonly flow: EditedFlow;
  readonly rows: ChosenRows;
  /** Rows at the same time; as the run was run, where absent. */
  readonly pace?: RowPace;
}

/** As the record of a run keeps what it tried. */
export function trialOf(options: JsonObject | undefined): JsonObject | undefined {
  return options?.['trial'] as JsonObject | undefined;
}

/**
 * Runs the node and what follows; what stands before is taken from the record of the run. What comes of it is a record like any other.
 *
 * @param signal aborted, no row starts, and those in flight end; with `isAlone` they are given up
 * @throws ProjectFailure when it cannot run
 */
export async function tryChange(
  change: TriedChange,
  host: ProjectHost,
  signal: AbortSignal,
  isAlone: boolean,
): Promise<BulkOutcome> {
  const { run, flow: edited, rows: chosen } = change;
  const { opened, settings } = await openTried(change, host);
  await using flow = opened.flow;
  const rows = await triedRows(run.reader, flow.plan, chosen, edited.inputs);
  const name = newRunId(`playground ${flow.plan.name}`, host);
  const record = startRecord(flow, edited.found, { ...settings, name }, rows, host);
  await using store = record.store;
  using lock = lockRun(record.file, record.id);
  const streaming = isAlone ? ({ nodes: 'all', tokens: true } as const) : undefined;
  const giveUp = isAlone ? signal : undefined;
  const job = { opened, settings, rows, store, lock, record, isResumed: false, streaming, giveUp };
  return await runBulkJob(job, host, signal);
}

/** What that would ask of models; nothing is asked. */
export async function forecastChange(
  change: TriedChange,
  host: ProjectHost,
): Promise<{ readonly forecast: RunForecast; readonly basis: string | undefined }> {
  const { run, flow: edited, rows: chosen } = change;
  const { opened, settings } = await openTried(change, host);
  await using flow = opened.flow;
  const { rows } = await triedRows(run.reader, flow.plan, chosen, edited.inputs);
  const rates = await findRates(shownPath(run.found.file, host.folder), settings.since, host);
  const { connections } = opened;
  const forecast = await forecastRun(flow, rows, { repeat: 1, connections, prices: findPrices(host), rates });
  return { forecast, basis: rates?.runId };
}

/** What the node would send for a row, or why it cannot; neither where it sends nothing that is known. */
export interface RenderedRequest {
  readonly request?: JsonObject;
  /** With the place in the template, where there is one. */
  readonly problem?: string;
}

export async function renderedRequest(
  change: TriedChange & { readonly rows: { readonly line: number } },
  host: ProjectHost,
): Promise<RenderedRequest> {
  const { run, flow: edited, rows: chosen, node } = change;
  const { opened } = await openTried(change, host);
  await using flow: RunnableFlow = opened.flow;
  const { rows } = await triedRows(run.reader, flow.plan, chosen, edited.inputs);
  for await (const row of rows) {
    if (!('values' in row)) continue;
    const forecasts = await flow.forecastRow(row.values, { line: row.line });
    const { sends, problem } = forecasts.find((one) => one.node === node) ?? {};
    if (sends !== undefined) return { request: flow.redactor.value(sends) as JsonObject };
    return problem === undefined ? {} : { problem: flow.redactor.text(placedProblem(problem)) };
  }
  return {};
}

function placedProblem({ message, trace }: NodeError): string {
  const place = trace?.at(-1);
  return place === undefined ? message : `${place}: ${message}`;
}

async function openTried(
  { run, node, flow, pace }: TriedChange,
  host: ProjectHost,
): Promise<{ readonly opened: FlowForRun; readonly settings: BulkSettings }> {
  requireRunnable(flow);
  const trial = { edits: flow.found.edits ?? new Map(), nodes: flow.nodes, about: aboutTrial(run, node, flow) };
  // What is typed in a page is of whoever asks; what a record holds was read before.
  const guardsImageFiles = Object.keys(flow.inputs).length > 0;
  const settings: BulkSettings = { ...run.settings, trial, guardsImageFiles, ...(pace === undefined ? {} : { pace }) };
  return { opened: await openForRun(flow.found, settings, host), settings };
}

/** What was tried, so that it can be opened again: texts as edited, and of inputs, which rows hold, only their names. */
function aboutTrial({ id }: TriedRun, node: string, { files, inputs }: EditedFlow): JsonObject {
  return {
    ...{ run: id, node },
    files: Object.fromEntries(files.map(({ path, edited }) => [path, edited])),
    inputs: Object.keys(inputs),
  };
}
