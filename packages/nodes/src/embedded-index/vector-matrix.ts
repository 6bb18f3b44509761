import { createDotKernel, type DotKernel } from './dot-kernel.ts';
import type { DatabaseSync } from './index-database.ts';
import { quantize } from './quantize.ts';

/** All vectors of an index as 8-bit numbers in memory, in the order of their documents. */
export interface VectorMatrix {
  readonly documents: Float64Array;
  readonly dimensions: number;
  /**
   * The documents whose vectors are nearest to `query`, by the small vectors; nearest first. Every vector is looked at.
   *
   * @param query `[dimensions]`, of length 1
   * @param count how many at most
   * @param allowed which documents may be among them; all when absent
   */
  nearest(query: Float32Array, count: number, allowed?: ReadonlySet<number>): readonly number[];
}

/** Reads the matrix of an index; undefined where it holds no vectors. */
export function loadVectorMatrix(database: DatabaseSync): VectorMatrix | undefined {
  const rows = Number(
    database.prepare('SELECT count(*) AS n FROM documents WHERE embedding IS NOT NULL').get()?.['n'] ?? 0,
  );
  const [first] = database.prepare('SELECT length(small) AS n FROM embeddings LIMIT 1').all();
  if (rows === 0 || first === undefined) return undefined;
  const dimensions = Number(first['n']);
  const layout = layOut(rows, dimensions);
  const kernel = createDotKernel(layout.end);
  const documents = new Float64Array(rows);
  const scales = new Float32Array(rows);
  const bytes = new Uint8Array(kernel.memory.buffer);
  const found = database
    .prepare(`SELECT d.id AS id, e.scale AS scale, e.small AS small
      FROM documents d JOIN embeddings e ON e.id = d.embedding ORDER BY d.id`)
    .iterate();
  let row = 0;
  for (const { id, scale, small } of found) {
    documents[row] = Number(id);
    scales[row] = Number(scale);
    bytes.set(small as Uint8Array, layout.matrix + row * layout.stride);
    row += 1;
  }
  return {
    documents,
    dimensions,
    nearest(query, count, allowed) {
      const sums = multiply(kernel, layout, query);
      return best(sums, scales, count, allowed === undefined ? undefined : (at) => allowed.has(documents[at] ?? 0)).map(
        (at) => documents[at] ?? 0,
      );
    },
  };
}

/** Addresses in the memory of the kernel. */
interface Layout {
  readonly rows: number;
  /** Bytes from row to row: the dimensions, filled up with zeros to a multiple of 16. */
  readonly stride: number;
  readonly matrix: number;
  readonly sums: number;
  readonly end: number;
}

/** The query lies at 0, as 16-bit numbers. */
function layOut(rows: number, dimensions: number): Layout {
  const stride = Math.ceil(dimensions / 16) * 16;
  const matrix = stride * 2;
  const sums = matrix + rows * stride;
  return { rows, stride, matrix, sums, end: sums + rows * 4 };
}

function multiply(
  { memory, dots }: DotKernel,
  { rows, stride, matrix, sums }: Layout,
  query: Float32Array,
): Int32Array {
  const small = new Int16Array(memory.buffer, 0, stride);
  small.set(quantize(query).numbers);
  dots(0, matrix, sums, rows, stride);
  return new Int32Array(memory.buffer, sums, rows);
}

/** Positions of the largest `sums * scales`, largest first, by a heap whose root is the least of them. */
function best(
  sums: Int32Array,
  scales: Float32Array,
  count: number,
  isAllowed: ((at: number) => boolean) | undefined,
): readonly number[] {
  const size = Math.min(count, sums.length);
  const heap = { scores: new Float64Array(size), places: new Int32Array(size), filled: 0 };
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < sums.length; at += 1) {
    const score = (sums[at] as number) * (scales[at] as number);
    if ((heap.filled === size && score <= least) || (isAllowed !== undefined && !isAllowed(at))) continue;
    put(heap, score, at);
    least = heap.scores[0] as number;
  }
  const order = Array.from({ length: heap.filled }, (_, index) => index);
  order.sort((left, right) => (heap.scores[right] ?? 0) - (heap.scores[left] ?? 0));
  return order.map((index) => heap.places[index] ?? 0);
}

interface Heap {
  readonly scores: Float64Array;
  readonly places: Int32Array;
  filled: number;
}

/** In place of the root when the heap is full. */
function put(heap: Heap, score: number, place: number): void {
  if (heap.filled < heap.scores.length) {
    heap.filled += 1;
    rise(heap, heap.filled - 1, score, place);
  } else sink(heap, score, place);
}

function rise({ scores, places }: Heap, from: number, score: number, place: number): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((scores[parent] as number) <= score) break;
    scores[at] = scores[parent] as number;
    places[at] = places[parent] as number;
    at = parent;
  }
  scores[at] = score;
  places[at] = place;
}

function sink({ scores, places, filled }: Heap, score: number, place: number): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= filled) break;
    const right = left + 1;
    const child = right < filled && (scores[right] as number) < (scores[left] as number) ? right : left;
    if ((scores[child] as number) >= score) break;
    scores[at] = scores[child] as number;
    places[at] = places[child] as number;
    at = child;
  }
  scores[at] = score;
  places[at] = place;
}
