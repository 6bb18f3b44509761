import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { longestTimerMs } from '../node/longest-timer.ts';
import { limitRows } from './limit-rows.ts';
import type { RowResult } from './run-flow.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a row may take longer than one timer can wait, and no longer than its limit', async () => {
  const limits = limitRows({ timeoutMs: 2 * longestTimerMs, signal: undefined });
  let given: AbortSignal | undefined;
  const row = limits.run(0, (signal) => {
    given = signal;
    const stopped = { row: { status: 'Canceled' } } as RowResult;
    return new Promise((resolve) => void signal.addEventListener('abort', () => resolve(stopped)));
  });
  vi.advanceTimersByTime(longestTimerMs);
  expect(given?.aborted).toBe(false);
  vi.advanceTimersByTime(longestTimerMs);
  expect((await row).row.error?.code).toBe('LineExecutionTimeoutError');
});
