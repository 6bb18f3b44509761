import { bestPlaces } from './best-places.ts';
import { createDotKernel, type DotKernel } from './dot-kernel.ts';
import type { DatabaseSync } from './index-database.ts';
import { quantize } from './quantize.ts';

/** All vectors of an index in memory, as 8-bit numbers and as 4-bit ones. */
export interface VectorMatrix {
  readonly dimensions: number;
  /**
   * The documents whose vectors are nearest to `query`, by the 8-bit numbers; nearest first. Every vector is looked at, by its
   * 4-bit numbers, and the best of them once more.
   *
   * @param query `[dimensions]`, of length 1
   * @param count how many at most
   * @param allowed numbers of documents that may be among them; all when absent
   */
  nearest(query: Float32Array, count: number, allowed?: readonly number[]): readonly number[];
}

/** Reads the matrix of an index; undefined where it holds no vectors. */
export function loadVectorMatrix(database: DatabaseSync): VectorMatrix | undefined {
  const rows = Number(
    database.prepare('SELECT count(*) AS n FROM documents WHERE embedding IS NOT NULL').get()?.['n'] ?? 0,
  );
  const [first] = database.prepare('SELECT length(small) AS n FROM embeddings LIMIT 1').all();
  if (rows === 0 || first === undefined) return undefined;
  const matrix = new Matrix(rows, Number(first['n']));
  const found = database
    .prepare(`SELECT d.id AS id, e.scale AS scale, e.small AS small
      FROM documents d JOIN embeddings e ON e.id = d.embedding ORDER BY d.id`)
    .iterate();
  let row = 0;
  for (const { id, scale, small } of found) matrix.put(row++, Number(id), Number(scale), small as Uint8Array);
  return matrix;
}

/**
 * So many are looked at again by their 8-bit numbers, beside twice as many as are wanted: what is among the best by one is
 * among these by the other, also of vectors that are mostly zeros (the offline embedder's). bench/index.bench.ts counts it.
 */
const spare = 64;

class Matrix implements VectorMatrix {
  readonly dimensions: number;
  /** Ascending. */
  private readonly documents: Float64Array;
  private readonly small: Int8Array;
  private readonly scales: Float32Array;
  private readonly layout: Layout;
  private readonly kernel: DotKernel;
  private readonly bytes: Uint8Array;
  private readonly tinyScales: Float32Array;
  private readonly scores: Float32Array;

  constructor(rows: number, dimensions: number) {
    this.dimensions = dimensions;
    this.documents = new Float64Array(rows);
    this.small = new Int8Array(rows * dimensions);
    this.scales = new Float32Array(rows);
    this.layout = layOut(rows, dimensions);
    this.kernel = createDotKernel(this.layout.end);
    const { buffer } = this.kernel.memory;
    this.bytes = new Uint8Array(buffer);
    this.tinyScales = new Float32Array(buffer, this.layout.scales, rows);
    this.scores = new Float32Array(buffer, this.layout.scores, rows);
  }

  put(row: number, document: number, scale: number, small: Uint8Array): void {
    this.documents[row] = document;
    this.scales[row] = scale;
    this.small.set(small, row * this.dimensions);
    this.tinyScales[row] = (scale * 127) / 7;
    const from = row * this.layout.stride;
    for (let at = 0; at < small.length; at += 1) {
      const tiny = tinyOf[small[at] as number] as number;
      const place = from + ((at >> 5) << 4) + (at & 15);
      this.bytes[place] = (this.bytes[place] as number) | ((at & 16) === 0 ? tiny : tiny << 4);
    }
  }

  nearest(query: Float32Array, count: number, allowed?: readonly number[]): readonly number[] {
    this.multiply(query);
    const near = bestPlaces(this.scores, 2 * count + spare, allowed === undefined ? undefined : this.rowsOf(allowed));
    const again = Float32Array.from(near, (row) => this.cosine(row, query));
    return bestPlaces(again, count).map((index) => this.documents[near[index] ?? 0] ?? 0);
  }

  /** Writes the scores of all rows, by 4-bit numbers, each of which is larger by 8 than what it stands for. */
  private multiply(query: Float32Array): void {
    const { rows, stride, query: queryAt, scales, scores } = this.layout;
    const { numbers } = quantize(query);
    new Int8Array(this.kernel.memory.buffer, queryAt, numbers.length).set(numbers);
    const offset = 8 * numbers.reduce((sum, number) => sum + number, 0);
    this.kernel.dots(queryAt, 0, scales, scores, rows, stride, offset);
  }

  private cosine(row: number, query: Float32Array): number {
    const from = row * this.dimensions;
    let sum = 0;
    for (let at = 0; at < this.dimensions; at += 1) sum += (this.small[from + at] as number) * (query[at] as number);
    return sum * (this.scales[row] as number);
  }

  private rowsOf(allowed: readonly number[]): Uint8Array {
    const rows = new Uint8Array(this.documents.length);
    for (const document of allowed) {
      const row = rowOf(this.documents, document);
      if (row >= 0) rows[row] = 1;
    }
    return rows;
  }
}

/** From a byte that is a signed number to four bits: -127 to 127 become 1 to 15. */
const tinyOf = Uint8Array.from({ length: 256 }, (_, byte) => Math.round((((byte << 24) >> 24) * 7) / 127) + 8);

/** Addresses in the memory of the kernel; the matrix lies at 0. */
interface Layout {
  readonly rows: number;
  /** Bytes from row to row: half the dimensions, filled up to a multiple of 64. */
  readonly stride: number;
  readonly query: number;
  readonly scales: number;
  readonly scores: number;
  readonly end: number;
}

function layOut(rows: number, dimensions: number): Layout {
  const stride = Math.ceil(dimensions / 128) * 64;
  const query = rows * stride;
  const scales = query + 2 * stride;
  const scores = scales + rows * 4;
  return { rows, stride, query, scales, scores, end: scores + rows * 4 };
}

/** -1 where the document has no vector. */
function rowOf(documents: Float64Array, document: number): number {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((documents[middle] as number) < document) low = middle + 1;
    else high = middle;
  }
  return documents[low] === document ? low : -1;
}
