import {
  coerceInputs,
  type FingerprintInputs,
  Float,
  flowFilesOf,
  type JsonValue,
  type Plan,
  type RunEvent,
  type RunInfo,
  type RunnableFlow,
  stringifyJson,
} from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { flowDigest } from '../records/run-info.ts';
import type { BulkRows } from './bulk-rows.ts';

export interface Forced {
  /** Goes on with a run though its flow or its rows are others now. */
  readonly force?: boolean;
}

/**
 * Files and variables that code had read may be others on purpose: that they are is told, and refuses nothing.
 *
 * @returns whether it goes on over data that may be other than what it was
 * @throws ProjectFailure when flow or data of a run that goes on are not what they were, unless it is to go on anyway
 */
export async function refuseChanged(
  info: RunInfo,
  flow: Pick<RunnableFlow, 'plan' | 'definitions' | 'changedReads'>,
  found: FoundFlow,
  rows: BulkRows,
  { force = false }: Forced,
  host: ProjectHost,
): Promise<boolean> {
  const isFlowChanged = flowDigest(flow.plan, flowFilesOf(found, host.folder).files) !== info.flowDigest;
  const { digest } = rows.data;
  const isDataChanged = info.data?.digest !== undefined && digest !== undefined && digest !== info.data.digest;
  const parts = onceEach([...changedParts(info, flow.definitions), ...(await readParts(info, flow))]);
  const read = shownParts(parts.filter(isRead)).join(' and ');
  if (read !== '') {
    notify(host, {
      kind: 'warning',
      message: `${read} changed since run ${info.id} began: its rows will not all be of one kind`,
    });
  }
  const changed = [
    ...(isFlowChanged ? [`${info.flowPath}, or a file it names,`] : shownParts(parts.filter(isFlow))),
    ...(isDataChanged ? [rows.data.path] : []),
  ].join(' and ');
  const mayBeOther = force && (isDataChanged || digest === undefined || info.data?.digest === undefined);
  if (changed === '') return mayBeOther;
  if (force) {
    notify(host, {
      kind: 'warning',
      message: `${changed} changed since run ${info.id} began: its rows will not all be of one kind`,
    });
    return mayBeOther;
  }
  throw new ProjectFailure(`${changed} changed since run ${info.id} began`, {
    help: 'A new run keeps the two apart; --force goes on with this one all the same.',
    code: 'FlowChanged',
  });
}

/**
 * Rows of which no digest is known (from standard input, or of another run) are compared with the record one by one, as far as
 * their texts and numbers go.
 *
 * @throws ProjectFailure when a row that has run is another one now, unless it is to go on anyway
 */
export function refuseOtherRow(
  { row, given }: Extract<RunEvent, { readonly type: 'row-skipped' }>,
  { inputs }: Plan,
  info: RunInfo,
  { force = false }: Forced,
): void {
  if (given === undefined || info.data?.digest !== undefined || force) return;
  const coerced = coerceInputs(inputs, given, row.line);
  const now = coerced.ok ? coerced.inputs : given;
  const other = Object.keys(now).find((name) => isOther(now[name] ?? null, row.inputs[name] ?? null));
  if (other === undefined) return;
  throw new ProjectFailure(`row ${row.line} was another one when run ${info.id} began: its "${other}" differs`, {
    help: 'A run goes on with the rows it began with, in their order; --force goes on all the same.',
    code: 'DataChanged',
  });
}

function isOther(now: JsonValue, before: JsonValue): boolean {
  const isPlain = (value: JsonValue): boolean => typeof value !== 'object' || value === null || value instanceof Float;
  return isPlain(now) && isPlain(before) && stringifyJson(now) !== stringifyJson(before);
}

interface ChangedPart {
  readonly node: string;
  readonly part: string;
}

/** What code read that is no part of the flow: files may be written by it, variables are given again with the run. */
function isRead({ part }: ChangedPart): boolean {
  return /^(?:reads|link|lists|variables?|given variable|all(?: given)? variables|working folder)\b/.test(part);
}

function isFlow(changed: ChangedPart): boolean {
  return !isRead(changed);
}

/** What nodes are made of beside the files that the flow names: where connections lead, modules, tools, indexes. */
function changedParts(
  { nodeDefinitions = {} }: RunInfo,
  definitions: Readonly<Record<string, FingerprintInputs>>,
): readonly ChangedPart[] {
  return Object.entries(definitions).flatMap(([node, now]) => {
    const before = nodeDefinitions[node];
    if (before === undefined) return [];
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return names.filter((name) => before[name] !== now[name]).map((part) => ({ node, part }));
  });
}

async function readParts(
  { nodeReads = {} }: RunInfo,
  flow: Pick<RunnableFlow, 'changedReads'>,
): Promise<readonly ChangedPart[]> {
  const changed = Object.entries(await flow.changedReads(nodeReads));
  return changed.flatMap(([node, parts]) => parts.map((part) => ({ node, part })));
}

/** What a definition names may be what code was seen to read. */
function onceEach(parts: readonly ChangedPart[]): readonly ChangedPart[] {
  return [...new Map(parts.map((one) => [`${one.node}\0${one.part}`, one])).values()];
}

function shownParts(parts: readonly ChangedPart[]): readonly string[] {
  const shown = parts.map(({ node, part }) => `${part} of node "${node}"`);
  return shown.length <= 3 ? shown : [`${shown.slice(0, 2).join(', ')} and ${shown.length - 2} more`];
}
