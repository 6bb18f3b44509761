import type { RowResult } from './run-flow.ts';

/** A row's time limit: what is under way when it is over is given up, and the row fails. */
export interface RowLimit {
  readonly line: number;
  /** Milliseconds; no limit when absent. */
  readonly timeoutMs: number | undefined;
  /** Gives up the row for another reason. */
  readonly signal: AbortSignal | undefined;
  /** The time limit of the whole run. */
  readonly runLimit?: RunLimit | undefined;
}

/** A whole run's time limit: once it is over, rows under way fail. */
export interface RunLimit extends Disposable {
  readonly over: AbortSignal;
  readonly seconds: number;
}

/** Begins to run at once. */
export function startRunLimit(timeoutMs: number): RunLimit {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), timeoutMs);
  return { over: timer.signal, seconds: timeoutMs / 1000, [Symbol.dispose]: () => clearTimeout(timeout) };
}

/** Runs a row within the time limit of its run; error class and message are Prompt flow's (`BatchExecutionTimeoutError`). */
export async function withRunLimit(limit: RowLimit, run: (limit: RowLimit) => Promise<RowResult>): Promise<RowResult> {
  const { line, signal, runLimit } = limit;
  if (runLimit === undefined) return await run(limit);
  const { over, seconds } = runLimit;
  const result = await run({ ...limit, signal: signal === undefined ? over : AbortSignal.any([signal, over]) });
  if (!over.aborted || result.row.status !== 'Canceled') return result;
  const error = {
    code: 'BatchExecutionTimeoutError',
    message: `Line ${line} execution terminated due to the total batch run exceeding the batch timeout (${seconds}s).`,
    retryable: true,
    codes: ['UserError', 'BatchExecutionTimeoutError'],
  };
  return { ...result, row: { ...result.row, status: 'Failed', error } };
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
