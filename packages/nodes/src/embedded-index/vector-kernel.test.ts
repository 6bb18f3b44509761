import { expect, test } from 'vitest';
import { blockRows, createVectorKernel, laneRow, maxPlaces } from './vector-kernel.ts';

/** Whole numbers from `least` on, `range` of them, that look drawn at random. */
function numbers(count: number, seed: number, least: number, range: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return least + ((state >> 8) % range);
  });
}

test.for([
  { blocks: 0, places: 2 },
  { blocks: 1, places: 2 },
  { blocks: 3, places: 192 },
  { blocks: 2, places: maxPlaces },
])('$blocks blocks of $places places are looked up as by the plain loop', ({ blocks, places }) => {
  const rows = blocks * blockRows;
  const codes = numbers(rows * places, 7, 0, 16);
  const tables = numbers(16 * places, 8, 0, 128);
  const expected = Array.from({ length: rows }, (_, row) =>
    codes
      .slice(row * places, (row + 1) * places)
      .reduce((sum, code, place) => sum + (tables[16 * place + code] ?? 0), row),
  );
  expect(scanned(codes, tables, blocks, places)).toEqual(expected);
});

test('the largest sums do not overflow', () => {
  const codes = Array.from({ length: blockRows * maxPlaces }, () => 15);
  const sums = scanned(codes, numbers(16 * maxPlaces, 1, 127, 1), 1, maxPlaces);
  expect(sums).toEqual(Array.from({ length: blockRows }, (_, row) => row + 127 * maxPlaces));
});

/** Row after row; the sum of a row begins with its number. */
function scanned(
  codes: readonly number[],
  tables: readonly number[],
  blocks: number,
  places: number,
): readonly number[] {
  const tablesAt = blocks * places * 16;
  const sumsAt = tablesAt + places * 16;
  const { memory, scan } = createVectorKernel(sumsAt + blocks * blockRows * 4);
  const bytes = new Uint8Array(memory.buffer);
  for (let place = 0; place < tablesAt; place += 1) {
    const block = Math.floor(place / (places * 16));
    const at = Math.floor(place / 16) % places;
    const [lower = 0, upper = 0] = [0, 16].map((further) => {
      const row = block * blockRows + further + laneRow(place % 16);
      return codes[row * places + at] ?? 0;
    });
    bytes[place] = lower | (upper << 4);
  }
  bytes.set(tables, tablesAt);
  const sums = new Float32Array(memory.buffer, sumsAt, blocks * blockRows);
  for (const row of sums.keys()) sums[row] = row;
  scan(0, tablesAt, sumsAt, blocks, places);
  return [...sums];
}

test('sums are scaled and moved, and the largest of each block is told', () => {
  const blocks = 3;
  const count = blocks * blockRows;
  const kernel = createVectorKernel(24 * count);
  const arrays = [0, 1, 2, 3].map((at) => new Float32Array(kernel.memory.buffer, at * 4 * count, count));
  for (const [at, array] of arrays.entries()) array.set(numbers(count, at + 1, -50, 101));
  const [sums = [], scales = [], smalls = [], biases = []] = arrays.map((array) => [...array]);
  const expected = sums.map((sum, row) => sum * (scales[row] ?? 0) + 3 * (smalls[row] ?? 0) + (biases[row] ?? 0));
  new Float32Array(kernel.memory.buffer, 16 * count, 4).fill(3);
  kernel.settle(0, 4 * count, 8 * count, 12 * count, 16 * count, 20 * count, blocks);
  expect([...(arrays[0] ?? [])]).toEqual(expected);
  expect([...new Float32Array(kernel.memory.buffer, 20 * count, blocks)]).toEqual(
    Array.from({ length: blocks }, (_, block) =>
      Math.max(...expected.slice(block * blockRows, (block + 1) * blockRows)),
    ),
  );
});

test.for([16, 384, 8192])('chosen rows of %i are multiplied as by the plain loop', (stride) => {
  const query = numbers(stride, 7, -2047, 4095);
  const matrix = numbers(5 * stride, 8, -127, 255);
  const chosen = [4, 0, 3, 3];
  const products = (row: number): number =>
    query.reduce((sum, number, at) => sum + number * (matrix[row * stride + at] ?? 0), 0);
  expect(multiplied(query, matrix, chosen)).toEqual(
    chosen.map((row) => Math.fround(Math.fround(products(row)) / 2 ** row)),
  );
});

test.for([127, -127])('the largest numbers of the longest rows do not overflow (%i)', (extreme) => {
  const query = Array.from({ length: 8192 }, () => 2047);
  const matrix = Array.from({ length: 8192 }, () => extreme);
  expect(multiplied(query, matrix, [0])).toEqual([Math.fround(2047 * extreme * 8192)]);
});

function multiplied(query: readonly number[], matrix: readonly number[], rows: readonly number[]): readonly number[] {
  const stride = query.length;
  const [queryAt, rowsAt, scalesAt, resultsAt] = [0, 1, 2, 3].map(
    (at) => 16 * at + matrix.length + (at > 0 ? 2 * stride : 0),
  );
  const places = {
    queryAt: queryAt ?? 0,
    rowsAt: (rowsAt ?? 0) + 64,
    scalesAt: (scalesAt ?? 0) + 128,
    resultsAt: (resultsAt ?? 0) + 192,
  };
  const { memory, multiply } = createVectorKernel(places.resultsAt + 256);
  new Int8Array(memory.buffer).set(matrix);
  new Int16Array(memory.buffer, places.queryAt, stride).set(query);
  new Int32Array(memory.buffer, places.rowsAt, rows.length).set(rows);
  new Float32Array(memory.buffer, places.scalesAt, 5).set([1, 1 / 2, 1 / 4, 1 / 8, 1 / 16]);
  multiply(places.queryAt, 0, places.rowsAt, places.scalesAt, places.resultsAt, rows.length, stride);
  return [...new Float32Array(memory.buffer, places.resultsAt, rows.length)];
}
