import type { DatabaseSync } from 'node:sqlite';
import type { RowRun } from './node-run.ts';
import type { NodeEnd, RowEnd } from './run-store.ts';
import { statusOf } from './status-number.ts';

/** How rows and their nodes ended, from the narrow records of a file alone: two ordered reads, side by side. */
export function* readRowEnds(database: DatabaseSync): Generator<RowEnd> {
  const rows = database
    .prepare(
      `SELECT line, repeat, status, started_at AS startedAt, duration_ms AS durationMs, unfinished
       FROM row_ends ORDER BY line, repeat`,
    )
    .iterate() as Iterable<unknown> as Iterable<RowColumns>;
  const nodes = nodeGroups(database);
  let group = nodes.next();
  for (const row of rows) {
    while (group.done !== true && isBefore(group.value, row)) group = nodes.next();
    const isOfRow = group.done !== true && group.value.line === row.line && group.value.repeat === row.repeat;
    yield {
      line: row.line,
      repeat: row.repeat,
      status: statusOf(row.status) as RowRun['status'],
      startedAt: row.startedAt ?? 0,
      durationMs: row.durationMs ?? 0,
      isUnfinished: row.unfinished > 0,
      nodes: isOfRow && group.done !== true ? group.value.nodes : [],
    };
  }
}

interface Place {
  readonly line: number;
  readonly repeat: number;
}

interface RowColumns extends Place {
  readonly status: number;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly unfinished: number;
}

interface NodeColumns extends Place {
  readonly node: string;
  readonly kind: string;
  readonly status: number;
  readonly durationMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

interface NodeGroup extends Place {
  readonly nodes: readonly NodeEnd[];
}

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.repeat < other.repeat);
}

function* nodeGroups(database: DatabaseSync): Generator<NodeGroup> {
  const rows = database
    .prepare(
      `SELECT line, repeat, nodes.name AS node, nodes.kind AS kind, status, duration_ms AS durationMs,
         prompt_tokens AS promptTokens, completion_tokens AS completionTokens
       FROM node_ends JOIN nodes ON nodes.id = node_ends.node ORDER BY line, repeat`,
    )
    .iterate() as Iterable<unknown> as Iterable<NodeColumns>;
  let group: (Place & { readonly nodes: NodeEnd[] }) | undefined;
  for (const row of rows) {
    if (group === undefined || group.line !== row.line || group.repeat !== row.repeat) {
      if (group !== undefined) yield group;
      group = { line: row.line, repeat: row.repeat, nodes: [] };
    }
    group.nodes.push(nodeEnd(row));
  }
  if (group !== undefined) yield group;
}

function nodeEnd({ node, kind, status, durationMs, promptTokens, completionTokens }: NodeColumns): NodeEnd {
  const usage =
    promptTokens === null || completionTokens === null
      ? undefined
      : { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
  return {
    node,
    kind,
    status: statusOf(status),
    ...(durationMs === null ? {} : { durationMs }),
    ...(usage === undefined ? {} : { usage }),
  };
}
