import { setImmediate } from 'node:timers/promises';
import type { Batches } from '@unroll/engine';

/** Milliseconds after which others that wait are let in. */
const longestMs = 12;

/** The same batches; in between the event loop goes on, which it would not while records are read. */
export async function* yieldBetween<T>(batches: Batches<T>, signal?: AbortSignal): AsyncGenerator<readonly T[], void> {
  let since = performance.now();
  for await (const batch of batches) {
    yield batch;
    if (performance.now() - since < longestMs) continue;
    await setImmediate();
    signal?.throwIfAborted();
    since = performance.now();
  }
}
