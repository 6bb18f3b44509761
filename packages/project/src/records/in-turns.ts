import { setImmediate } from 'node:timers/promises';
import type { Batches } from '@unroll/engine';

/** Milliseconds after which others that wait are let in. */
const longestTurn = 12;

/** The same batches; in between whoever waits for the network or a timer has its turn, which reading alone would not give. */
export async function* inTurns<T>(batches: Batches<T>, signal?: AbortSignal): AsyncGenerator<readonly T[], void> {
  let since = performance.now();
  for await (const batch of batches) {
    yield batch;
    if (performance.now() - since < longestTurn) continue;
    await setImmediate();
    signal?.throwIfAborted();
    since = performance.now();
  }
}
