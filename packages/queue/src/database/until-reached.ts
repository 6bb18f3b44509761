import type { Clock } from '@unroll/nodes';
import { isPassing } from './database-failure.ts';

/** Between two tries to reach the database. */
const againMs = 250;

/**
 * What the database answers, asked again while it is not reached or has no room.
 *
 * @returns undefined where the wait was given up
 * @throws what will not pass by itself
 */
export async function untilReached<Result>(
  ask: () => Promise<Result>,
  clock: Clock,
  signal: AbortSignal,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await clock.sleep(againMs, signal);
    }
  }
  return undefined;
}
