import { expect, test } from 'vitest';
import { createDotKernel } from './dot-kernel.ts';

/** Whole numbers from `least` on, `range` of them, that look drawn at random. */
function numbers(count: number, seed: number, least: number, range: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return least + ((state >> 8) % range);
  });
}

test.for([
  { rows: 0, dimensions: 128 },
  { rows: 1, dimensions: 128 },
  { rows: 7, dimensions: 256 },
  { rows: 301, dimensions: 384 },
])('$rows rows of $dimensions are multiplied as by the plain loop', ({ rows, dimensions }) => {
  const query = numbers(dimensions, 7, -127, 255);
  const matrix = numbers(rows * dimensions, 8, 0, 16);
  const scales = Array.from({ length: rows }, (_, row) => 2 ** -(row % 5));
  const expected = scales.map((scale, row) => {
    const products = query.map((number, at) => number * (matrix[row * dimensions + at] ?? 0));
    return scale * (products.reduce((sum, product) => sum + product, 0) - 100);
  });
  expect(kernelDots(query, matrix, scales, 100)).toEqual(expected);
});

test.for([127, -127])('the largest numbers of a long vector do not overflow (%i)', (extreme) => {
  const dimensions = 4096;
  const query = Array.from({ length: dimensions }, () => extreme);
  const matrix = Array.from({ length: dimensions }, () => 15);
  expect(kernelDots(query, matrix, [1], 0)).toEqual([extreme * 15 * dimensions]);
});

function kernelDots(
  query: readonly number[],
  matrix: readonly number[],
  scales: readonly number[],
  offset: number,
): readonly number[] {
  const stride = query.length / 2;
  const queryAt = scales.length * stride;
  const scalesAt = queryAt + query.length;
  const resultsAt = scalesAt + scales.length * 4;
  const { memory, dots } = createDotKernel(resultsAt + scales.length * 4);
  const bytes = new Uint8Array(memory.buffer);
  for (const [at, number] of matrix.entries()) {
    const place = Math.floor(at / 32) * 16 + (at % 16);
    bytes[place] = (bytes[place] ?? 0) | (at % 32 < 16 ? number : number << 4);
  }
  new Int8Array(memory.buffer, queryAt, query.length).set(query);
  new Float32Array(memory.buffer, scalesAt, scales.length).set(scales);
  dots(queryAt, 0, scalesAt, resultsAt, scales.length, stride, offset);
  return [...new Float32Array(memory.buffer, resultsAt, scales.length)];
}
