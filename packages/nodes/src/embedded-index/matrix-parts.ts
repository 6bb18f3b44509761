export interface Near {
  readonly document: number;
  readonly embedding: number;
}

export function signed(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

export interface NearRows {
  readonly rows: Int32Array;
  readonly cosines: Float32Array;
}

export function concatenated<T extends Int32Array | Float32Array>(
  of: new (length: number) => T,
  first: T,
  second: T,
): T {
  const both = new of(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** @returns what one of the written numbers stands for */
export function putQuery(query: Float32Array, into: Int16Array): number {
  const max = Math.min(2047, Math.floor(2 ** 31 / (127 * into.length)) - 1);
  let largest = 0;
  for (let at = 0; at < query.length; at += 1) largest = Math.max(largest, Math.abs(query[at] as number));
  if (largest === 0) into.fill(0);
  else for (let at = 0; at < query.length; at += 1) into[at] = Math.round(((query[at] as number) * max) / largest);
  return largest / max;
}

/** -1 where the document has no vector. */
export function rowOf(documents: Float64Array, document: number): number {
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((documents[middle] as number) < document) low = middle + 1;
    else high = middle;
  }
  return documents[low] === document ? low : -1;
}
