import type { DatabaseSync } from './index-database.ts';

/** A document with the number of its vector. */
interface Near {
  readonly document: number;
  readonly embedding: number;
}

/** All vectors of an index in memory, as 8-bit numbers. */
export interface VectorMatrix {
  readonly dimensions: number;
  /**
   * The documents whose vectors are nearest to `query` by the 8-bit numbers, nearest first: the best `count`, and those so
   * close behind that the full vectors may put them before these.
   *
   * @param query `[dimensions]`, of length 1
   * @param count of those, how many are wanted
   * @param allowed numbers of documents that may be among them; all when absent
   */
  nearest(query: Float32Array, count: number, allowed?: Iterable<number>): readonly Near[];
}

/** Reads the matrix of an index; undefined where it holds no vectors. */
export function loadVectorMatrix(database: DatabaseSync): VectorMatrix | undefined {
  const found = database
    .prepare(`SELECT d.id AS id, d.embedding AS embedding, e.scale AS scale, e.small AS small
      FROM documents d JOIN embeddings e ON e.id = d.embedding ORDER BY d.id`)
    .iterate();
  const rows: Row[] = [];
  for (const { id, embedding, scale, small } of found) {
    const { buffer, byteOffset, byteLength } = small as Uint8Array;
    const numbers = new Int8Array(buffer, byteOffset, byteLength);
    rows.push({ document: Number(id), embedding: Number(embedding), scale: Number(scale), numbers });
  }
  const dimensions = rows[0]?.numbers.length;
  if (dimensions === undefined) return undefined;
  return { dimensions, nearest: (query, count, allowed) => nearestRows(rows, query, count, allowed) };
}

interface Row extends Near {
  /** `numbers[i] * scale` is about the number of the vector. */
  readonly scale: number;
  readonly numbers: Int8Array;
}

/** In steps of the 8-bit numbers: seven deviations of what their rounding does to a cosine. */
const closeBehind = 2;
/** So many times as many as wanted are given at most. */
const maxPerHit = 20;

function nearestRows(
  rows: readonly Row[],
  query: Float32Array,
  count: number,
  allowed: Iterable<number> | undefined,
): readonly Near[] {
  const documents = allowed === undefined ? undefined : new Set(allowed);
  const looked = documents === undefined ? rows : rows.filter(({ document }) => documents.has(document));
  const cosines = Float32Array.from(looked, (row) => cosineOf(row, query));
  const lastWanted = cosines.toSorted().at(-count) ?? Number.NEGATIVE_INFINITY;
  const largestScale = rows.reduce((largest, { scale }) => Math.max(largest, scale), 0);
  const least = lastWanted - closeBehind * largestScale;
  return looked
    .map((row, at) => ({ row, cosine: cosines[at] ?? 0 }))
    .filter(({ cosine }) => cosine >= least)
    .sort((left, right) => right.cosine - left.cosine)
    .slice(0, maxPerHit * count)
    .map(({ row }) => row);
}

function cosineOf({ numbers, scale }: Row, query: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < query.length; at += 1) sum += (numbers[at] as number) * (query[at] as number);
  return sum * scale;
}
