/** A vector as whole numbers from -127 to 127: `numbers[i] * scale` is about `vector[i]`. */
export interface SmallVector {
  readonly numbers: Int8Array;
  readonly scale: number;
}

/** Symmetric, by the largest number; a vector of zeros has the scale 0. */
export function quantize(vector: Float32Array): SmallVector {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const scale = largest / 127;
  const numbers = new Int8Array(vector.length);
  if (scale > 0) for (let at = 0; at < vector.length; at += 1) numbers[at] = Math.round((vector[at] ?? 0) / scale);
  return { numbers, scale };
}

/** Of length 1, so that the product of two is the cosine of their angle; a vector of zeros stays one. */
export function normalized(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const number of vector) sum += number * number;
  const length = Math.sqrt(sum);
  return length === 0 ? vector : vector.map((number) => number / length);
}

export function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at += 1) sum += (left[at] ?? 0) * (right[at] ?? 0);
  return sum;
}
