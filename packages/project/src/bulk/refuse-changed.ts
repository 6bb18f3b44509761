import {
  type BulkEvent,
  coerceInputs,
  flowFilesOf,
  type NodeParts,
  type Plan,
  printJson,
  type RunInfo,
  type RunnableFlow,
  type Value,
} from '@unroll/engine';
import type { FoundFlow } from '../flows/find-flow.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { flowDigest } from '../records/run-info.ts';
import type { BulkRows } from './bulk-rows.ts';

export interface Forced {
  /** Goes on with a run though its flow or its rows are others now. */
  readonly force?: boolean;
}

/** @throws ProjectFailure when flow or data of a run that goes on are not what they were, unless it is to go on anyway */
export function refuseChanged(
  info: RunInfo,
  { plan, definitions }: Pick<RunnableFlow, 'plan' | 'definitions'>,
  found: FoundFlow,
  rows: BulkRows,
  { force = false }: Forced,
  host: ProjectHost,
): void {
  const isFlowChanged = flowDigest(plan, flowFilesOf(found, host.folder).files) !== info.flowDigest;
  const { digest } = rows.data;
  const isDataChanged = info.data?.digest !== undefined && digest !== undefined && digest !== info.data.digest;
  const parts = changedParts(info, definitions);
  const read = shownParts(parts.filter(isRead)).join(' and ');
  if (read !== '') host.notice({ kind: 'warning', message: `${read} changed since run ${info.id} began` });
  const changed = [
    ...(isFlowChanged ? [`${info.flowPath}, or a file it names,`] : shownParts(parts.filter(isFlow))),
    ...(isDataChanged ? [rows.data.path] : []),
  ].join(' and ');
  if (changed === '') return;
  if (force) {
    host.notice({
      kind: 'warning',
      message: `${changed} changed since run ${info.id} began: its rows will not all be of one kind`,
    });
    return;
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
  { row, given }: Extract<BulkEvent, { readonly type: 'row-skipped' }>,
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

function isOther(now: Value, before: Value): boolean {
  const isPlain = (value: Value): boolean => typeof value !== 'object' || value === null;
  return isPlain(now) && isPlain(before) && printJson(now) !== printJson(before);
}

interface ChangedPart {
  readonly node: string;
  readonly part: string;
}

/** Files that code reads may be written by it: a change is told, and refuses nothing. */
function isRead({ part }: ChangedPart): boolean {
  return part.startsWith('reads ');
}

/** Variables are given again with the run, and may differ. */
function isFlow(changed: ChangedPart): boolean {
  return !isRead(changed) && !/^variables?\b/.test(changed.part);
}

/** What nodes are made of beside the files that the flow names: where connections lead, modules, tools, indexes. */
function changedParts(
  { nodeDefinitions = {} }: RunInfo,
  definitions: Readonly<Record<string, NodeParts>>,
): readonly ChangedPart[] {
  return Object.entries(definitions).flatMap(([node, now]) => {
    const before = nodeDefinitions[node];
    if (before === undefined) return [];
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return names.filter((name) => before[name] !== now[name]).map((part) => ({ node, part }));
  });
}

function shownParts(parts: readonly ChangedPart[]): readonly string[] {
  const shown = parts.map(({ node, part }) => `${part} of node "${node}"`);
  return shown.length <= 3 ? shown : [`${shown.slice(0, 2).join(', ')} and ${shown.length - 2} more`];
}
