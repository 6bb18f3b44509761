import { eachOf, isGivenOn, type NodeRun, type RowRun, type RunReader, valueHash } from '@unroll/engine';
import { type Explanation, explainRun, type NodeSide, programChange } from '@unroll/evals';
import type { ProjectHost } from '../host/project-host.ts';
import { findRun } from '../records/find-run.ts';
import { openRecord } from '../records/open-record.ts';
import { rowName } from '../records/row-name.ts';
import { placeOf, type RowPlace } from '../records/row-place.ts';
import { selectNodes } from '../records/select-nodes.ts';

export interface NodeExplanation {
  readonly run: NodeRun;
  readonly explanation: Explanation;
}

export interface WhyAbout {
  readonly run: string;
  /** The run it is compared with. */
  readonly against: string | undefined;
  readonly row: string;
}

export interface WhySettings {
  /** `12`, or `12/2` for the third time it was run; absent: the first that ended. */
  readonly row?: string | undefined;
  /** A node or a family; absent: all of the row. */
  readonly node?: string | undefined;
  /** A run to compare with; absent: the one whose outputs stood in. */
  readonly against?: string | undefined;
}

/**
 * For each named node of a row, what changed since an earlier run, or from where its output was taken.
 *
 * @throws ProjectFailure when there is no such run, row or node
 */
export async function explainRow(
  run: string | undefined,
  { row, node, against }: WhySettings,
  host: ProjectHost,
): Promise<WhyAbout & { readonly nodes: readonly NodeExplanation[] }> {
  await using store = await openRecord(await findRun(run, host), host);
  const place = await placeOf(store, row);
  const named = against ?? recordedSince(store);
  await using earlier = named === undefined ? undefined : await openRecord(await findRun(named, host), host);
  const nodes = await explainNodes(store, await nodesOf(store, place, node), place, earlier);
  return { run: store.info.id, against: earlier?.info.id, row: rowName(place), nodes };
}

/** The same of records that are open. @param runs those of the row that are asked for */
export async function explainNodes(
  store: RunReader,
  runs: readonly NodeRun[],
  place: RowPlace,
  earlier: RunReader | undefined,
): Promise<readonly NodeExplanation[]> {
  const own = await store.row(place.line, place.repeat);
  const before = earlier === undefined ? undefined : await sameRow(own, place, earlier);
  const records = before === undefined ? [] : ((await earlier?.nodes(before.line, before.repeat)) ?? []);
  return runs.map((one): NodeExplanation => ({ run: one, explanation: explain(one, store, earlier, records) }));
}

/** The named ones, else all of the row in the order of the flow. */
async function nodesOf(
  store: RunReader,
  { line, repeat = 0 }: RowPlace,
  name: string | undefined,
): Promise<readonly NodeRun[]> {
  const runs = await store.nodes(line, repeat);
  if (name !== undefined) return selectNodes(name, runs, store.info);
  return store.info.nodes.flatMap((node) => runs.find((run) => run.node === node.name) ?? []);
}

/** The run whose outputs stood in. */
export function recordedSince({ info }: RunReader): string | undefined {
  const since = info.options?.['since'];
  return typeof since === 'string' ? since : undefined;
}

/** The row of the earlier run that was given the same, wherever it stood; else the one of the same number. */
async function sameRow(row: RowRun | undefined, place: RowPlace, earlier: RunReader): Promise<RowPlace> {
  const { line, repeat = 0 } = place;
  if (row === undefined) return place;
  const given = valueHash(row.inputs);
  const isSame = (one: RowRun): boolean => (one.repeat ?? 0) === repeat && valueHash(one.inputs) === given;
  const own = await earlier.row(line, repeat);
  if (own !== undefined && isSame(own)) return place;
  for await (const one of eachOf(earlier.rows())) if (isSame(one)) return one;
  return place;
}

function explain(
  run: NodeRun,
  store: RunReader,
  earlier: RunReader | undefined,
  records: readonly NodeRun[],
): Explanation {
  const { nodeDefinitions, nodeReads, madeWith } = store.info;
  const made = { parts: nodeDefinitions?.[run.node], reads: nodeReads?.[run.node] };
  const program = programChange(earlier?.info.madeWith, madeWith);
  const side = earlier === undefined ? undefined : sideOf(run.node, records, earlier);
  return explainRun(run, made, side && { ...side, ...(program === undefined ? {} : { program }) });
}

function sideOf(node: string, records: readonly NodeRun[], earlier: RunReader): NodeSide {
  const record = records.find((one) => one.node === node);
  return {
    run: earlier.info.id,
    record,
    isGivenOn: record !== undefined && isGivenOn(record, records),
    parts: earlier.info.nodeDefinitions?.[node],
    reads: earlier.info.nodeReads?.[node],
    hasRow: records.length > 0,
  };
}
