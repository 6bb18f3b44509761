import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RowRun } from '../record/node-run.ts';
import { limitRows } from './limit-rows.ts';
import type { RowResult } from './run-flow.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const place: Pick<RowRun, 'line' | 'inputs' | 'outputs' | 'startedAt' | 'durationMs'> = {
  line: 0,
  inputs: {},
  outputs: {},
  startedAt: 0,
  durationMs: 0,
};

/** A row that ends when its signal is aborted. */
function untilAborted(reasons: unknown[] = []): (signal: AbortSignal) => Promise<RowResult> {
  return (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        reasons.push((signal.reason as Error).message);
        resolve({ row: { ...place, status: 'Canceled' }, nodes: [] });
      });
    });
}

const atOnce = async (): Promise<RowResult> => ({ row: { ...place, status: 'Completed' }, nodes: [] });

test('rows are given up in the order they began, each when its own time is over', async () => {
  const limits = limitRows({ timeoutMs: 30, signal: undefined });
  const ended: number[] = [];
  const row = async (line: number): Promise<RowResult['row']> => {
    const { row: one } = await limits.run(line, untilAborted());
    ended.push(line);
    return one;
  };
  const first = row(0);
  await vi.advanceTimersByTimeAsync(15);
  const second = row(1);
  await vi.advanceTimersByTimeAsync(14);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual([0]);
  await vi.advanceTimersByTimeAsync(14);
  expect(ended).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual([0, 1]);
  const [one, other] = await Promise.all([first, second]);
  expect([one, other].map(({ status, error }) => [status, error?.code, error?.message])).toEqual([
    ['Failed', 'LineExecutionTimeoutError', 'Line 0 execution timeout for exceeding 0.03 seconds'],
    ['Failed', 'LineExecutionTimeoutError', 'Line 1 execution timeout for exceeding 0.03 seconds'],
  ]);
});

test('a row that ends in time is let be, also while others wait', async () => {
  const limits = limitRows({ timeoutMs: 10, signal: undefined });
  const waiting = limits.run(0, untilAborted());
  expect((await limits.run(1, atOnce)).row.status).toBe('Completed');
  await vi.advanceTimersByTimeAsync(10);
  expect((await waiting).row.status).toBe('Failed');
});

test('the run given up gives up its rows, for its own reason', async () => {
  const controller = new AbortController();
  const reasons: unknown[] = [];
  const limits = limitRows({ timeoutMs: 60_000, signal: controller.signal });
  const rows = [0, 1].map((line) => limits.run(line, untilAborted(reasons)));
  controller.abort(new Error('enough'));
  expect((await Promise.all(rows)).map(({ row }) => row.status)).toEqual(['Canceled', 'Canceled']);
  expect(reasons).toEqual(['enough', 'enough']);
  const late = await limits.run(2, async (signal) => ({
    row: { ...place, status: signal.aborted ? 'Canceled' : 'Completed' },
    nodes: [],
  }));
  expect(late.row.status).toBe('Canceled');
});

test('a row that completed as the time of the run was over has completed; one that was given up failed', async () => {
  const runLimit = { over: AbortSignal.abort(), seconds: 5, [Symbol.dispose]: () => {} };
  const limits = limitRows({ timeoutMs: undefined, signal: undefined, runLimit });
  const canceled = async (): Promise<RowResult> => ({ row: { ...place, status: 'Canceled' }, nodes: [] });
  expect((await limits.run(0, atOnce)).row.status).toBe('Completed');
  expect((await limits.run(1, canceled)).row).toMatchObject({
    status: 'Failed',
    error: { code: 'BatchExecutionTimeoutError' },
  });
});
