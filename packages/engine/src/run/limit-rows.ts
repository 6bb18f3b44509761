import { longestTimerMs } from '../node/longest-timer.ts';
import type { RowResult } from './run-flow.ts';

/** Rows' time limit: what is under way when a row's is over is given up, and the row fails. */
export interface RowLimit {
  /** Milliseconds of a row; no limit when absent. */
  readonly timeoutMs: number | undefined;
  /** Gives up all rows for another reason. */
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
  const timeout = setTimeout(() => timer.abort(), Math.min(timeoutMs, longestTimerMs));
  return { over: timer.signal, seconds: timeoutMs / 1000, [Symbol.dispose]: () => clearTimeout(timeout) };
}

export interface RowLimits {
  /**
   * Runs a row within its own limit and that of the run: past them it fails with `LineExecutionTimeoutError` or
   * `BatchExecutionTimeoutError`.
   */
  run(line: number, run: (signal: AbortSignal) => Promise<RowResult>): Promise<RowResult>;
}

export function limitRows({ timeoutMs, signal, runLimit }: RowLimit): RowLimits {
  const signals = [signal, runLimit?.over].filter((one) => one !== undefined);
  const ofAll = signals.length === 2 ? AbortSignal.any(signals) : (signals[0] ?? neverAborted);
  const ended = (result: RowResult, line: number): RowResult =>
    runLimit?.over.aborted === true && result.row.status === 'Canceled' ? runTooLong(result, line, runLimit) : result;
  if (timeoutMs === undefined) return { run: async (line, run) => ended(await run(ofAll), line) };
  return {
    async run(line, run) {
      using row = startRow(timeoutMs, ofAll);
      const result = await run(row.signal);
      return row.isOver() && result.row.status === 'Canceled' ? tooLong(result, line, timeoutMs) : ended(result, line);
    },
  };
}

interface RowUnderWay extends Disposable {
  /** Aborted once its own time is over, or all rows are given up. */
  readonly signal: AbortSignal;
  /** Whether its own time was over first. */
  isOver(): boolean;
}

function startRow(timeoutMs: number, ofAll: AbortSignal): RowUnderWay {
  const row = new AbortController();
  const tooLate = new Error(`Line execution timeout after ${timeoutMs / 1000} seconds.`);
  const giveUp = (): void => row.abort(ofAll.reason);
  if (ofAll.aborted) giveUp();
  else ofAll.addEventListener('abort', giveUp, { once: true });
  const stopWaiting = after(timeoutMs, () => row.abort(tooLate));
  return {
    signal: row.signal,
    isOver: () => row.signal.reason === tooLate,
    [Symbol.dispose]: () => {
      stopWaiting();
      ofAll.removeEventListener('abort', giveUp);
    },
  };
}

/** @returns stops waiting */
function after(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (left: number): void => {
    const next = (): void => (left > longestTimerMs ? wait(left - longestTimerMs) : work());
    timer = setTimeout(next, Math.min(left, longestTimerMs));
  };
  wait(ms);
  return () => clearTimeout(timer);
}

function tooLong(result: RowResult, line: number, timeoutMs: number): RowResult {
  const error = {
    code: 'LineExecutionTimeoutError',
    message: `Line ${line} execution timeout for exceeding ${timeoutMs / 1000} seconds`,
    retryable: true,
  };
  return { ...result, row: { ...result.row, status: 'Failed', error } };
}

function runTooLong(result: RowResult, line: number, { seconds }: RunLimit): RowResult {
  const error = {
    code: 'BatchExecutionTimeoutError',
    message: `Line ${line} execution terminated due to the total batch run exceeding the batch timeout (${seconds}s).`,
    retryable: true,
  };
  return { ...result, row: { ...result.row, status: 'Failed', error } };
}

const neverAborted = new AbortController().signal;
