/** Rows of the tables of records, as lists; the columns of `node_end` in the order of `nodeEndColumns`. */
export type StoredNode = readonly [
  ...[line: number, repeat: number, node: number, status: number, startedAt: number | null, durationMs: number | null],
  ...[promptTokens: number | null, completionTokens: number | null, segment: number, start: number, size: number],
];
export const nodeEndColumns = `line, repeat, node, status, started_at, duration_ms, prompt_tokens, completion_tokens,
  segment, start, size`;

/** Of `row_end`, in the order of `rowEndColumns`. */
export type StoredRow = readonly [
  ...[line: number, repeat: number, status: number, startedAt: number | null, durationMs: number | null],
  ...[unfinished: number, segment: number, start: number, size: number],
];
export const rowEndColumns = 'line, repeat, status, started_at, duration_ms, unfinished, segment, start, size';

/** Where a value lies: first byte and bytes of UTF-8 in what a segment holds. */
export interface ValuePlace {
  readonly segment: number;
  readonly start: number;
  readonly size: number;
}

export function placeOfNode([, , , , , , , , segment, start, size]: StoredNode): ValuePlace {
  return { segment, start, size };
}

export function placeOfRow([, , , , , , segment, start, size]: StoredRow): ValuePlace {
  return { segment, start, size };
}

/** A row of a run's dataset, and which repetition of it. */
export interface RowPlace {
  readonly line: number;
  readonly repeat: number;
}

/** By which rows are found in maps. */
export function rowKey(line: number, repeat: number): number {
  return line * 2 ** 20 + repeat;
}
