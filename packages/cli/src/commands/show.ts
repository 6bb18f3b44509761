import { allOf, eachOf, type NodeRun, type RowRun, type RunReader } from '@unroll/engine';
import { ProjectFailure, projectOn, type RunRecord, type RunStanding, rowName, selectNodes } from '@unroll/project';
import { bulkOutcomeJson } from '../bulk/bulk-outcome.ts';
import { bulkSummaryText } from '../bulk/bulk-summary.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { ShowSettings } from '../options/record-options.ts';
import { hostOf, placeArgument } from '../project-host.ts';
import { nodeText } from '../reporters/node-text.ts';
import { rowText } from '../reporters/row-text.ts';
import { runHeadText } from '../reporters/run-head-text.ts';
import { nodeResult, runResult, stringifyJsonLine, stringifyResult } from '../runs/run-result.ts';
import { styleOf } from '../text/style.ts';

/** `flow show`: what became of a run, of one row of it, or of one node. */
export async function show(settings: ShowSettings, io: Io): Promise<number> {
  const { runs } = projectOn(hostOf(settings, io));
  const record = await runs.find(settings.run);
  await using store = await runs.open(record.file);
  const isBulk = store.info.data !== undefined;
  const wanted = settings.node;
  const named = settings.row;
  if (isBulk && wanted === undefined && named === undefined)
    return await showBulk(store, await runs.standing(record.file), record, settings, io);
  const row = await rowOf(store, named ?? (await placeToShow(store, wanted)));
  const nodes = await nodesInOrder(store, row, isBulk ? wanted : undefined);
  if (wanted !== undefined) {
    const heading = isBulk && named === undefined ? `row ${rowName(row)}` : '';
    return await showNodes(wanted, { store, row, nodes, record, heading }, settings, io);
  }
  const metrics = await store.metrics();
  if (settings.json) io.stdout.write(stringifyResult(runResult(row, nodes, metrics, record)));
  else {
    const style = styleOf(io.stdout, io, settings.color);
    const rowCount = Object.values(await store.rowCounts()).reduce((sum, rows) => sum + rows, 0);
    const shown = { info: store.info, rowCount, metrics, row, nodes, run: placeArgument(record.file, settings) };
    io.stdout.write(rowText({ ...shown, style, columns: io.stdout.columns ?? 100 }));
  }
  return exitCode.done;
}

interface RowToShow {
  readonly store: RunReader;
  readonly row: RowRun;
  readonly nodes: readonly NodeRun[];
  readonly record: { readonly id: string; readonly path: string };
  /** Above the nodes; nothing when empty. */
  readonly heading: string;
}

async function showNodes(wanted: string, shown: RowToShow, settings: ShowSettings, io: Io): Promise<number> {
  const { store, row, nodes, record, heading } = shown;
  const selected = selectNodes(wanted, nodes, store.info);
  if (settings.json) {
    const result = runResult(row, nodes, await store.metrics(), record);
    const results = Object.fromEntries(selected.map((node) => [node.node, nodeResult(node)]));
    io.stdout.write(stringifyResult({ ...result, nodes: results }));
    return exitCode.done;
  }
  const style = styleOf(io.stdout, io, settings.color);
  if (heading !== '') io.stdout.write(`${style.dim(heading)}\n`);
  io.stdout.write(selected.map((node) => nodeText(node, style)).join('\n'));
  return exitCode.done;
}

/** All of a run over data: its nodes, its failures, the rows that failed, its metrics. */
async function showBulk(
  store: RunReader,
  standing: RunStanding,
  record: RunRecord,
  settings: ShowSettings,
  io: Io,
): Promise<number> {
  const { status, view, budget } = standing;
  const metrics = await store.metrics();
  if (settings.json) {
    const { event: _, ...outcome } = bulkOutcomeJson({ status, view, metrics, record, budget });
    io.stdout.write(stringifyJsonLine(outcome, 2));
    return exitCode.done;
  }
  const style = styleOf(io.stdout, io, settings.color);
  io.stdout.write(`${runHeadText(store.info, style)}\n`);
  const run = placeArgument(record.file, settings);
  const failedPlaces = await failedRows(store);
  const next = [
    ...waysOn(store, run, standing),
    `flow show ${run} --row ${rowName(failedPlaces[0] ?? (await placeToShow(store, undefined)))}`,
  ];
  const failed = failedPlaces.map(rowName);
  io.stdout.write(
    bulkSummaryText({ view, metrics, record, run, status, next, failed, budget }, style, io.stdout.columns),
  );
  return exitCode.done;
}

/** What can be done with a run that is not whole; nothing of a run of Prompt flow but to run its rows again. */
function waysOn(store: RunReader, run: string, { status, view, isImported }: RunStanding): readonly string[] {
  const { failed } = view.rows;
  if (isImported) return [`flow parity FLOW ${run}`];
  const again = store.info.data?.path === '-' ? ' --data -' : '';
  return [
    ...(status === 'Canceled' ? [`flow run --resume ${run}${again}`] : []),
    ...(status !== 'Running' && failed > 0 ? [`flow run --retry-failed ${run}${again}`] : []),
  ];
}

interface Place {
  readonly line: number;
  readonly repeat?: number;
}

async function failedRows(store: RunReader): Promise<readonly Place[]> {
  if ((await store.rowCounts()).Failed === 0) return [];
  return (await allOf(store.rowEnds())).filter(({ status }) => status === 'Failed');
}

/** The first row in which the wanted node failed, else the first row there is. */
async function placeToShow(store: RunReader, node: string | undefined): Promise<Place> {
  let first: Place | undefined;
  for await (const { status, nodes, ...place } of eachOf(store.rowEnds())) {
    if (node === undefined) return place;
    first ??= place;
    if (status !== 'Failed') continue;
    if (nodes.some((end) => end.node === node && end.status === 'Failed')) return place;
  }
  return first ?? { line: 0 };
}

async function rowOf(store: RunReader, place: Place): Promise<RowRun> {
  const row = await store.row(place.line, place.repeat);
  if (row !== undefined) return row;
  const rows = (await allOf(store.rowEnds())).map(rowName);
  if (rows.length === 0) {
    throw new ProjectFailure(`run ${store.info.id} has no finished row: it is still running, or was ended by force`);
  }
  throw new ProjectFailure(`run ${store.info.id} has no row ${rowName(place)}`, {
    help: `It has ${rows.length === 1 ? `row ${rows[0]}` : `${rows.length} rows, ${rows[0]} to ${rows.at(-1)}`}.`,
  });
}

/**
 * Records in the order of the flow, not of their ends. Nodes that ran once over all rows are kept with the first row, and
 * shown where one of them is asked for.
 */
async function nodesInOrder(store: RunReader, { line, repeat }: Place, wanted?: string): Promise<readonly NodeRun[]> {
  const { info } = store;
  const order = new Map(info.nodes.map(({ name }, index) => [name, index]));
  const overRows = new Set(info.nodes.flatMap(({ name, aggregation }) => (aggregation === true ? [name] : [])));
  const isShown = ({ node }: NodeRun): boolean => info.data === undefined || !overRows.has(node) || node === wanted;
  const isOverRows = wanted !== undefined && overRows.has(wanted);
  const found = isOverRows ? await store.nodes(0) : await store.nodes(line, repeat);
  return found.filter(isShown).toSorted((left, right) => (order.get(left.node) ?? 0) - (order.get(right.node) ?? 0));
}
