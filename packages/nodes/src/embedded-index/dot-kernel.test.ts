import { expect, test } from 'vitest';
import { createDotKernel } from './dot-kernel.ts';

/** Whole numbers from -127 to 127 that look drawn at random. */
function numbers(count: number, seed: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state % 255) - 127;
  });
}

function plainDots(query: readonly number[], matrix: readonly number[], stride: number): readonly number[] {
  return Array.from({ length: matrix.length / stride }, (_, row) =>
    query.reduce((sum, number, at) => sum + number * (matrix[row * stride + at] ?? 0), 0),
  );
}

test.for([
  { rows: 0, stride: 16 },
  { rows: 1, stride: 16 },
  { rows: 7, stride: 48 },
  { rows: 301, stride: 384 },
])('$rows rows of $stride are multiplied as by the plain loop', ({ rows, stride }) => {
  const [query, matrix] = [numbers(stride, 7), numbers(rows * stride, 8)];
  expect(kernelDots(query, matrix, stride)).toEqual(plainDots(query, matrix, stride));
});

test('the largest numbers of a long vector do not overflow', () => {
  const stride = 4096;
  const extreme = Array.from({ length: stride }, (_, at) => (at < stride / 2 ? 127 : -127));
  expect(kernelDots(extreme, extreme, stride)).toEqual([127 * 127 * stride]);
});

function kernelDots(query: readonly number[], matrix: readonly number[], stride: number): readonly number[] {
  const matrixAt = stride * 2;
  const sumsAt = Math.ceil((matrixAt + matrix.length) / 4) * 4;
  const count = matrix.length / stride;
  const { memory, dots } = createDotKernel(sumsAt + count * 4);
  new Int16Array(memory.buffer, 0, stride).set(query);
  new Int8Array(memory.buffer, matrixAt, matrix.length).set(matrix);
  dots(0, matrixAt, sumsAt, count, stride);
  return [...new Int32Array(memory.buffer, sumsAt, count)];
}
