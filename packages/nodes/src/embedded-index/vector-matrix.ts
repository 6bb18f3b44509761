import { bestPlaces } from './best-places.ts';
import type { DatabaseSync } from './index-database.ts';
import { type Arrays, arraysIn, type Layout, layOut, placeOf } from './matrix-layout.ts';
import { concatenated, type Near, type NearRows, putQuery, rowOf, signed } from './matrix-parts.ts';
import { encodeRow, fitShortCodes, type LookUpTables, lookUpTables, type ShortCodes } from './short-codes.ts';
import { blockRows, createVectorKernel, maxPlaces, type VectorKernel } from './vector-kernel.ts';

/** All vectors of an index in memory, as 8-bit numbers and as shorter ones. */
export interface VectorMatrix {
  readonly dimensions: number;
  /**
   * The documents whose vectors are nearest to `query` by the 8-bit numbers, nearest first: the best `count`, and those so
   * close behind that the full vectors may put them before these. Every vector is looked at by its short codes, and the best
   * of them once more.
   *
   * @param query `[dimensions]`, of length 1
   * @param count of those, how many are wanted
   * @param allowed numbers of documents that may be among them; all when absent
   */
  nearest(query: Float32Array, count: number, allowed?: Iterable<number>): readonly Near[];
}

/** Reads the matrix of an index; undefined where it holds no vectors. */
export function loadVectorMatrix(database: DatabaseSync): VectorMatrix | undefined {
  const rows = Number(
    database.prepare('SELECT count(*) AS n FROM documents WHERE embedding IS NOT NULL').get()?.['n'] ?? 0,
  );
  const [first] = database.prepare('SELECT length(small) AS n FROM embeddings LIMIT 1').all();
  if (rows === 0 || first === undefined) return undefined;
  const dimensions = Number(first['n']);
  const matrix = new Matrix(rows, fitShortCodes(readSample(database, dimensions), dimensions));
  const found = database
    .prepare(`SELECT d.id AS id, d.embedding AS embedding, e.scale AS scale, e.small AS small
      FROM documents d JOIN embeddings e ON e.id = d.embedding ORDER BY d.id`)
    .iterate();
  let row = 0;
  for (const { id, embedding, scale, small } of found) {
    matrix.put(row++, { document: Number(id), embedding: Number(embedding) }, Number(scale), small as Uint8Array);
  }
  return matrix;
}

/** `[rows][dimensions]`: some from the first to the last. */
function readSample(database: DatabaseSync, dimensions: number): Float32Array {
  const ends = database.prepare('SELECT min(id) AS first, max(id) AS last FROM embeddings').get();
  const [first, last] = [Number(ends?.['first']), Number(ends?.['last'])];
  const step = Math.max(1, (last - first) / (sampleRows - 1));
  const ids: number[] = [];
  for (let id = first; id <= last; id += step) ids.push(Math.round(id));
  const found = database
    .prepare('SELECT small FROM embeddings WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify([...ids, last]));
  const sample = new Float32Array(found.length * dimensions);
  for (const [row, { small }] of found.entries()) sample.set(signed(small as Uint8Array), row * dimensions);
  return sample;
}

/** Of the best by short codes, at least so many beside twice those wanted tell how near the last one wanted is. */
const spare = 44;
/**
 * In deviations of what such a score is off: one in 30,000 is farther off, where what is lost spreads normally. All rows that
 * may belong to the nearest by this measure are looked at again, however many they are.
 */
const farthestOff = 4;
/** In steps of the 8-bit numbers: seven deviations of what their rounding does to a cosine. */
const closeBehind = 2;
/** So many times as many as wanted are given at most. */
const maxPerHit = 20;
/** Where a filter leaves so few, they are looked at by their 8-bit numbers at once. */
const fewRows = 4096;
/** Of the rows, to make the codes by. */
const sampleRows = 1000;

class Matrix implements VectorMatrix {
  readonly dimensions: number;
  /** `[rows]`, documents ascending. */
  private readonly documents: Float64Array;
  private readonly embeddings: Float64Array;
  private readonly layout: Layout;
  private readonly kernel: VectorKernel;
  private readonly arrays: Arrays;
  private readonly codes: ShortCodes;
  private readonly values: Float32Array;
  private readonly rowCodes: Uint8Array;
  private largestScale = 0;
  private meanScale = 0;
  private allAllowed = true;

  constructor(rows: number, codes: ShortCodes) {
    this.codes = codes;
    this.dimensions = codes.dimensions;
    this.documents = new Float64Array(rows);
    this.embeddings = new Float64Array(rows);
    this.layout = layOut(rows, codes.dimensions, codes.places);
    this.kernel = createVectorKernel(this.layout.end);
    this.arrays = arraysIn(this.kernel.memory.buffer, this.layout);
    this.arrays.biases.fill(Number.NEGATIVE_INFINITY, rows);
    this.values = new Float32Array(codes.dimensions);
    this.rowCodes = new Uint8Array(codes.places);
  }

  put(row: number, { document, embedding }: Near, scale: number, small: Uint8Array): void {
    const { arrays, documents, values, rowCodes } = this;
    documents[row] = document;
    this.embeddings[row] = embedding;
    arrays.smallScales[row] = scale;
    arrays.bytes.set(small, row * this.layout.stride);
    values.set(signed(small));
    arrays.scales[row] = encodeRow(values, this.codes, rowCodes) * scale;
    this.putCodes(row, rowCodes);
    this.largestScale = Math.max(this.largestScale, scale);
    this.meanScale += scale / documents.length;
  }

  private putCodes(row: number, codes: Uint8Array): void {
    const { bytes } = this.arrays;
    const shift = (row & 16) >> 2;
    for (let from = 0; from < codes.length; from += maxPlaces) {
      const end = Math.min(codes.length, from + maxPlaces);
      let place = placeOf(this.layout, row, from);
      for (let at = from; at < end; at += 1) {
        bytes[place] = (bytes[place] as number) | ((codes[at] as number) << shift);
        place += 16;
      }
    }
  }

  nearest(query: Float32Array, count: number, allowed?: Iterable<number>): readonly Near[] {
    const rows = allowed === undefined ? undefined : this.rowsOf(allowed);
    const near = this.nearRows(query, count, rows);
    const best = bestPlaces(near.cosines, maxPerHit * count);
    const least = (near.cosines[best[count - 1] ?? 0] ?? 0) - closeBehind * this.largestScale;
    const last = best.findIndex((at, rank) => rank >= count && (near.cosines[at] ?? 0) < least);
    return (last < 0 ? best : best.slice(0, last)).map((at) => {
      const row = near.rows[at] ?? 0;
      return { document: this.documents[row] ?? 0, embedding: this.embeddings[row] ?? 0 };
    });
  }

  /** Those that may be among the nearest, of the allowed rows. */
  private nearRows(query: Float32Array, count: number, allowed: Int32Array | undefined): NearRows {
    const scale = putQuery(query, this.arrays.query);
    if (allowed !== undefined && allowed.length <= fewRows) {
      this.arrays.chosen.set(allowed);
      return this.multiplied(allowed.length, scale);
    }
    const { unit, deviation } = this.scan(query, allowed);
    const first = this.scoreOf(2 * count + spare);
    const near = this.multiplied(this.choose(first, Number.POSITIVE_INFINITY), scale);
    const lastWanted = bestPlaces(near.cosines, count)[count - 1];
    if (lastWanted === undefined) return near;
    const farthest = (near.cosines[lastWanted] as number) - farthestOff * deviation * this.meanScale;
    const bound = farthest * unit;
    if (bound >= first) return near;
    const others = this.multiplied(this.choose(bound, first), scale);
    return {
      rows: concatenated(Int32Array, near.rows, others.rows),
      cosines: concatenated(Float32Array, near.cosines, others.cosines),
    };
  }

  /** Writes the scores of all rows, minus infinity for those that are not allowed. */
  private scan(query: Float32Array, allowed: Int32Array | undefined): LookUpTables {
    const { kernel, layout, arrays } = this;
    const found = lookUpTables(query, this.codes);
    arrays.bytes.set(found.tables, layout.tables);
    arrays.sums.fill(found.start);
    this.allow(allowed);
    for (let place = 0; place < layout.places; place += maxPlaces) {
      const places = Math.min(maxPlaces, layout.places - place);
      const codes = layout.codes + place * 16 * layout.blocks;
      kernel.scan(codes, layout.tables + 16 * place, layout.sums, layout.blocks, places);
    }
    arrays.middle.fill(found.middle);
    kernel.settle(
      layout.sums,
      layout.scales,
      layout.smallScales,
      layout.biases,
      layout.middle,
      layout.maxima,
      layout.blocks,
    );
    return found;
  }

  private allow(allowed: Int32Array | undefined): void {
    const { biases } = this.arrays;
    if (allowed === undefined && this.allAllowed) return;
    this.allAllowed = allowed === undefined;
    biases.fill(allowed === undefined ? 0 : Number.NEGATIVE_INFINITY, 0, this.documents.length);
    for (const row of allowed ?? []) biases[row] = 0;
  }

  /** A score that at least `count` of the allowed rows reach: the best of as many blocks do. */
  private scoreOf(count: number): number {
    const { maxima } = this.arrays;
    const last = bestPlaces(maxima, count)[count - 1];
    return Math.max(-Number.MAX_VALUE, last === undefined ? Number.NEGATIVE_INFINITY : (maxima[last] as number));
  }

  /** Writes the rows whose scores are at least `least` and less than `limit`, and tells how many they are. */
  private choose(least: number, limit: number): number {
    const { sums, maxima, chosen } = this.arrays;
    let count = 0;
    for (let block = 0; block < maxima.length; block += 1) {
      if ((maxima[block] as number) < least) continue;
      const from = block * blockRows;
      for (let row = from; row < from + blockRows; row += 1) {
        const score = sums[row] as number;
        if (score >= least && score < limit) chosen[count++] = row;
      }
    }
    return count;
  }

  /** The chosen rows with their cosines by the 8-bit numbers. */
  private multiplied(count: number, scale: number): NearRows {
    const { kernel, layout, arrays } = this;
    kernel.multiply(
      layout.query,
      layout.small,
      layout.chosen,
      layout.smallScales,
      layout.results,
      count,
      layout.stride,
    );
    const cosines = arrays.results.slice(0, count);
    for (let at = 0; at < count; at += 1) cosines[at] = (cosines[at] as number) * scale;
    return { rows: arrays.chosen.slice(0, count), cosines };
  }

  private rowsOf(allowed: Iterable<number>): Int32Array {
    const rows: number[] = [];
    for (const document of allowed) {
      const row = rowOf(this.documents, document);
      if (row >= 0) rows.push(row);
    }
    return Int32Array.from(rows);
  }
}
