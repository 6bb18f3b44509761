import { longestTimerMs } from '../node/longest-timer.ts';
import { offAbort, onAbort } from '../node/on-abort.ts';
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

/**
 * Limits rows that run at the same time. All have the same limit, so they are over in the order they began: one timer waits
 * for the oldest.
 */
export function limitRows({ timeoutMs, signal, runLimit }: RowLimit): RowLimits {
  const signals = [signal, runLimit?.over].filter((one) => one !== undefined);
  const ofAll = signals.length === 2 ? AbortSignal.any(signals) : (signals[0] ?? neverAborted);
  const ended = (result: RowResult, line: number): RowResult =>
    runLimit?.over.aborted === true && result.row.status === 'Canceled' ? runTooLong(result, line, runLimit) : result;
  if (timeoutMs === undefined) return { run: async (line, run) => ended(await run(ofAll), line) };
  const underWay = new RowsUnderWay(timeoutMs, ofAll);
  return {
    async run(line, run) {
      const row = underWay.begin();
      try {
        const result = await run(row.controller.signal);
        if (!row.isOver || result.row.status !== 'Canceled') return ended(result, line);
        return tooLong(result, line, timeoutMs);
      } finally {
        underWay.end(row);
      }
    },
  };
}

interface RowUnderWay {
  readonly controller: AbortController;
  readonly overAt: number;
  isOver: boolean;
}

class RowsUnderWay {
  private readonly timeoutMs: number;
  private readonly signal: AbortSignal;
  /** In the order they began. */
  private readonly rows = new Set<RowUnderWay>();
  private timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number, signal: AbortSignal) {
    this.timeoutMs = timeoutMs;
    this.signal = signal;
  }

  begin(): RowUnderWay {
    const overAt = performance.now() + this.timeoutMs;
    const row: RowUnderWay = { controller: new AbortController(), overAt, isOver: false };
    if (this.signal.aborted) row.controller.abort(this.signal.reason);
    else if (this.rows.size === 0) onAbort(this.signal, this.giveUpAll);
    this.rows.add(row);
    this.timer ??= setTimeout(this.giveUpOld, Math.min(this.timeoutMs, longestTimerMs));
    return row;
  }

  end(row: RowUnderWay): void {
    this.rows.delete(row);
    if (this.rows.size > 0) return;
    offAbort(this.signal, this.giveUpAll);
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private readonly giveUpAll = (): void => {
    for (const { controller } of [...this.rows]) controller.abort(this.signal.reason);
  };

  private readonly giveUpOld = (): void => {
    this.timer = undefined;
    const now = performance.now();
    for (const row of [...this.rows]) {
      if (row.overAt > now) {
        this.timer = setTimeout(this.giveUpOld, Math.min(row.overAt - now, longestTimerMs));
        return;
      }
      if (row.controller.signal.aborted) continue;
      row.isOver = true;
      row.controller.abort(new Error(`Line execution timeout after ${this.timeoutMs / 1000} seconds.`));
    }
  };
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
