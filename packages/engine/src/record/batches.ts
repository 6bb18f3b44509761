import type { Batches } from './run-reader.ts';

/** Bytes of payloads from which on a batch is full: rows that hold pictures are some megabytes each. */
const maxBytes = 4 * 2 ** 20;

/**
 * What is made one by one, so many at a time.
 *
 * @param bytesRead that making them has read so far; of few long ones fewer are made at a time
 */
export async function* batchesOf<T>(
  items: Iterable<T>,
  size: number,
  bytesRead: () => number = () => 0,
): AsyncGenerator<readonly T[], void> {
  let batch: T[] = [];
  let before = bytesRead();
  for (const item of items) {
    batch.push(item);
    if (batch.length < size && bytesRead() - before < maxBytes) continue;
    yield batch;
    batch = [];
    before = bytesRead();
  }
  if (batch.length > 0) yield batch;
}

/** One by one. */
export async function* eachOf<T>(batches: Batches<T>): AsyncGenerator<T, void> {
  for await (const batch of batches) yield* batch;
}

/** All of them, in memory. */
export async function allOf<T>(batches: Batches<T>): Promise<readonly T[]> {
  return (await Array.fromAsync(batches)).flat();
}

/** The first, undefined where there is none; no more than its batch is read. */
export async function firstOf<T>(batches: Batches<T>): Promise<T | undefined> {
  for await (const [first] of batches) if (first !== undefined) return first;
  return undefined;
}
