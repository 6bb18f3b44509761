import type { Usage } from '../node/node-report.ts';
import type { Payload, PayloadReader } from './decode-record.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import type { NodeSummary, ReadEnd, RowSummary } from './run-reader.ts';
import { statusOf } from './status-number.ts';
import type { NodeName } from './stored-ends.ts';

type Optional = number | null;

/** How a node ended, in the columns that the file and PostgreSQL have first; where its values lie follows. */
export type NodeColumns = readonly [
  ...[line: number, repeat: number, node: number, status: number, startedAt: Optional, durationMs: Optional],
  ...[promptTokens: Optional, completionTokens: Optional, ...place: readonly number[]],
];

/** The same of a row. */
export type RowColumns = readonly [
  ...[line: number, repeat: number, status: number, startedAt: Optional, durationMs: Optional],
  ...[unfinished: number, ...place: readonly number[]],
];

/** The record of a node from its columns and its payload. */
export function nodeRun(
  [line, repeat, , status, startedAt, durationMs]: NodeColumns,
  { name, kind }: NodeName,
  payload: Payload,
  reader: PayloadReader,
): NodeRun {
  const inputs = reader.inputs(payload);
  const output = reader.output(payload);
  return {
    line,
    ...(repeat === 0 ? {} : { repeat }),
    node: name,
    kind,
    status: statusOf(status),
    ...(inputs === undefined ? {} : { inputs }),
    ...(output === undefined ? {} : { output }),
    ...(startedAt === null ? {} : { startedAt }),
    ...(durationMs === null ? {} : { durationMs }),
    ...(payload.f === undefined ? {} : { fingerprint: payload.f }),
    ...(payload.x as Partial<NodeRun> | undefined),
  };
}

/** The record of a row from its columns and its payload. */
export function rowRun(
  [line, repeat, status, startedAt, durationMs]: RowColumns,
  payload: Payload,
  reader: PayloadReader,
): RowRun {
  return {
    line,
    ...(repeat === 0 ? {} : { repeat }),
    status: statusOf(status) as RowRun['status'],
    inputs: reader.inputs(payload) ?? {},
    outputs: reader.outputs(payload),
    startedAt: startedAt ?? 0,
    durationMs: durationMs ?? 0,
    ...(payload.x as Partial<RowRun> | undefined),
  };
}

/** How a row ended, its nodes apart. */
export function rowHead([line, repeat, status, startedAt, durationMs, unfinished]: RowColumns): Omit<
  RowSummary,
  'nodes'
> {
  return {
    line,
    repeat,
    status: statusOf(status) as RowRun['status'],
    startedAt: startedAt ?? 0,
    durationMs: durationMs ?? 0,
    isUnfinished: unfinished > 0,
  };
}

/** How a node ended. */
export function nodeSummary(columns: NodeColumns, { name, kind }: NodeName): NodeSummary {
  const [, , , status, , durationMs] = columns;
  const usage = tokensOf(columns);
  return {
    node: name,
    kind,
    status: statusOf(status),
    ...(durationMs === null ? {} : { durationMs }),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** @param payload of a node whose record is wanted too: it tells what the tokens were */
export function readEnd(columns: NodeColumns, { name, kind }: NodeName, payload: Payload | undefined): ReadEnd {
  const [, , , status, , durationMs] = columns;
  const tokens = tokensOf(columns);
  const usage = tokens === undefined ? undefined : (payload?.x?.['usage'] as unknown as Usage | undefined);
  return { node: name, kind, status: statusOf(status), durationMs: durationMs ?? undefined, usage: usage ?? tokens };
}

function tokensOf([, , , , , , promptTokens, completionTokens]: NodeColumns): Usage | undefined {
  if (promptTokens === null || completionTokens === null) return undefined;
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}
