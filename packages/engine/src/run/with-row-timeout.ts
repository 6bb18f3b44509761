import type { RowResult } from './run-flow.ts';

/** A row's time limit: what is under way when it is over is given up, and the row fails. */
export interface RowLimit {
  readonly line: number;
  /** Milliseconds; no limit when absent. */
  readonly timeoutMs: number | undefined;
  /** Gives up the row for another reason. */
  readonly signal: AbortSignal | undefined;
}

/** Runs a row within its time limit; error class and message are Prompt flow's (`LineExecutionTimeoutError`). */
export async function withRowTimeout(
  { line, timeoutMs, signal }: RowLimit,
  run: (signal: AbortSignal) => Promise<RowResult>,
): Promise<RowResult> {
  if (timeoutMs === undefined) return await run(signal ?? new AbortController().signal);
  const timer = new AbortController();
  const seconds = timeoutMs / 1000;
  const timeout = setTimeout(
    () => timer.abort(new Error(`Line execution timeout after ${seconds} seconds.`)),
    timeoutMs,
  );
  try {
    const result = await run(signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]));
    if (!timer.signal.aborted || result.row.status !== 'Canceled') return result;
    const error = {
      code: 'LineExecutionTimeoutError',
      message: `Line ${line} execution timeout for exceeding ${seconds} seconds`,
      retryable: true,
      codes: ['UserError', 'LineExecutionTimeoutError'],
    };
    return { ...result, row: { ...result.row, status: 'Failed', error } };
  } finally {
    clearTimeout(timeout);
  }
}
