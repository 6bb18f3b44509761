import type { NodeStatus } from '@unroll/engine';
import { statusOf } from '@unroll/engine/record-format';
import type { Queryable } from '../database/database.ts';
import { columnDamage, isSoundNode, isSoundRow, rowDamage } from '../record/require-sound.ts';
import type { RunWork } from './run-work.ts';

type InSchema = Queryable & { readonly schema: string };

/** A row that ended, without what went in and came out. */
export interface EndedRow {
  readonly line: number;
  readonly repeat: number;
  readonly status: NodeStatus;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly isUnfinished: boolean;
  readonly nodes: readonly EndedNode[];
}

export interface EndedNode {
  readonly node: string;
  readonly kind: string;
  readonly status: NodeStatus;
  readonly durationMs: number | undefined;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Rows read at a time. */
const pageSize = 1000;

/**
 * Where somebody who follows a run stands: all that was committed by transactions before this one is known. It is the number of a
 * transaction, as text.
 */
export type Cursor = string;

export const beginning: Cursor = '0';

/** Up to here every transaction has ended: none that is under way can add anything before it. */
export async function settledCursor(database: InSchema): Promise<Cursor> {
  const sql = 'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS cursor';
  const [now] = await database.query<{ readonly cursor: Cursor }>(sql);
  return now?.cursor ?? beginning;
}

/** Rows that were recorded between two cursors, in pages; up to now where no end is given. @throws RunDamageError */
export async function* endedRows(
  { id, number: run }: Pick<RunWork, 'id' | 'number'>,
  from: Cursor,
  to: Cursor | undefined,
  database: InSchema,
): AsyncGenerator<readonly EndedRow[], void> {
  let last: readonly [Cursor, number, number] = [from, -1, -1];
  for (;;) {
    const rows = await pageAfter(run, last, to, database);
    const end = rows.at(-1);
    if (end === undefined) return;
    yield await withNodes({ id, number: run }, rows, database);
    if (rows.length < pageSize) return;
    last = [end.cursor, end.line, end.repeat];
  }
}

/** Of these lines, those whose rows have all ended. */
export async function endedLines(
  run: number,
  lines: readonly number[],
  repeat: number,
  database: InSchema,
): Promise<ReadonlySet<number>> {
  const sql = `SELECT line FROM ${database.schema}.row_end WHERE run = $1 AND line = ANY($2::int[])
    GROUP BY line HAVING count(*) >= $3`;
  const found = await database.query<{ readonly line: number }>(sql, [run, lines, repeat]);
  return new Set(found.map(({ line }) => line));
}

interface StoredEnd {
  readonly cursor: Cursor;
  readonly line: number;
  readonly repeat: number;
  readonly status: number;
  readonly started_at: number | null;
  readonly duration_ms: number | null;
  readonly unfinished: number;
}

async function pageAfter(
  run: number,
  [cursor, line, repeat]: readonly [Cursor, number, number],
  to: Cursor | undefined,
  database: InSchema,
): Promise<readonly StoredEnd[]> {
  const until = to === undefined ? '' : 'AND appended_by < $5::xid8';
  const sql = `SELECT appended_by::text AS cursor, line, repeat, status, started_at, duration_ms, unfinished
    FROM ${database.schema}.row_end
    WHERE run = $1 AND (appended_by, line, repeat) > ($2::xid8, $3, $4) ${until}
    ORDER BY appended_by, line, repeat LIMIT ${pageSize}`;
  return await database.query<StoredEnd>(sql, [run, cursor, line, repeat, ...(to === undefined ? [] : [to])]);
}

interface StoredNodeEnd {
  readonly line: number;
  readonly repeat: number;
  readonly name: string;
  readonly kind: string;
  readonly status: number;
  readonly duration_ms: number | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
}

async function withNodes(
  { id, number: run }: Pick<RunWork, 'id' | 'number'>,
  ends: readonly StoredEnd[],
  database: InSchema,
): Promise<readonly EndedRow[]> {
  const { schema } = database;
  // Of a table that is being filled PostgreSQL has no figures yet: it would read all of it. OFFSET 0 makes it look up row by row.
  const sql = `SELECT e.line, e.repeat, n.name, n.kind, e.status, e.duration_ms, e.prompt_tokens, e.completion_tokens
    FROM unnest($2::int[], $3::int[]) AS given (line, repeat)
    CROSS JOIN LATERAL (SELECT * FROM ${schema}.node_end WHERE run = $1 AND line = given.line AND repeat = given.repeat OFFSET 0) e
    JOIN ${schema}.node_name n ON n.run = $1 AND n.id = e.node
    ORDER BY e.segment, e.start`;
  const places = [ends.map(({ line }) => line), ends.map(({ repeat }) => repeat)];
  const nodes = Map.groupBy(await database.query<StoredNodeEnd>(sql, [run, ...places]), keyOf);
  for (const end of ends) requireSoundEnd(id, end, nodes.get(keyOf(end)) ?? []);
  return ends.map((end) => ({
    line: end.line,
    repeat: end.repeat,
    status: statusOf(end.status),
    startedAt: end.started_at ?? 0,
    durationMs: end.duration_ms ?? 0,
    isUnfinished: end.unfinished > 0,
    nodes: (nodes.get(keyOf(end)) ?? []).map(endedNode),
  }));
}

function requireSoundEnd(id: string, end: StoredEnd, nodes: readonly StoredNodeEnd[]): void {
  const { status, started_at: startedAt, duration_ms: durationMs } = end;
  const isSound = isSoundRow({ status, startedAt, durationMs }) && nodes.every(isSoundEnd);
  if (!isSound) throw rowDamage(id, end, columnDamage);
}

function isSoundEnd(node: StoredNodeEnd): boolean {
  const { status, duration_ms: durationMs, prompt_tokens: promptTokens, completion_tokens: completionTokens } = node;
  return isSoundNode({ status, startedAt: null, durationMs, promptTokens, completionTokens });
}

function keyOf({ line, repeat }: { readonly line: number; readonly repeat: number }): string {
  return `${line} ${repeat}`;
}

function endedNode(stored: StoredNodeEnd): EndedNode {
  return {
    node: stored.name,
    kind: stored.kind,
    status: statusOf(stored.status),
    durationMs: stored.duration_ms ?? undefined,
    promptTokens: stored.prompt_tokens ?? 0,
    completionTokens: stored.completion_tokens ?? 0,
  };
}
