import { setTimeout as wait } from 'node:timers/promises';
import { isPassing } from './database-failure.ts';

const [firstPauseMs, longestPauseMs] = [50, 2_000];

const defaultForMs = 60_000;

/**
 * Does it again, for a while, where it failed and may not fail again: it must do no harm to do it twice.
 *
 * @param forMs 60 seconds where absent
 * @param onRetry told why it is done again
 * @throws what the last attempt threw
 */
export async function persistently<Result>(
  work: () => Promise<Result>,
  forMs = defaultForMs,
  onRetry: (error: unknown) => void = () => undefined,
): Promise<Result> {
  const until = performance.now() + forMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || performance.now() > until) throw error;
      onRetry(error);
    }
    await wait(pauseMs);
  }
}
