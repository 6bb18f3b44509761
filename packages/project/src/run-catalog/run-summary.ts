import { statSync } from 'node:fs';
import { allOf, type JsonObject, openSqliteRunReader, type RunReader } from '@unroll/engine';
import { bulkStatus } from '../bulk/bulk-status.ts';
import { lockState } from '../records/run-lock.ts';

/** What can be said of a recorded run without its flow. */
export interface RunSummary {
  readonly id: string;
  /** Name of its flow; empty where the record cannot be read. */
  readonly flow: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly status: 'Completed' | 'Failed' | 'Canceled' | 'Unfinished' | 'Running' | 'Unreadable';
  /** Rows that ended. */
  readonly rows: number;
  readonly failed: number;
  /** Rows there are to run; absent where they were not counted. */
  readonly total?: number | undefined;
  /** Of a run of one row. */
  readonly durationMs?: number;
  /** Inputs of the only row. */
  readonly inputs?: JsonObject;
  /** Data of a run over data. */
  readonly data?: string | undefined;
  /** Why the record cannot be read. */
  readonly problem?: string;
}

/** What the list of runs says of one; a record that cannot be read is listed with the reason. */
export async function readRunSummary(id: string, path: string): Promise<RunSummary> {
  try {
    await using store = openSqliteRunReader(path);
    return store.info.data === undefined ? await rowSummary(id, path, store) : await bulkSummary(id, path, store);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const startedAt = statSync(path).birthtimeMs;
    return { id, flow: '', startedAt, status: 'Unreadable', rows: 0, failed: 0, total: 0, problem };
  }
}

async function bulkSummary(id: string, path: string, store: RunReader): Promise<RunSummary> {
  const { Completed: completed, Failed: failed, Canceled: canceled } = await store.rowCounts();
  const { data, flowName: flow, startedAt } = store.info;
  const status = await recordedStatus(path, store);
  const rows = completed + failed + canceled;
  return { id, flow, startedAt, status, rows, failed, total: data?.total, data: data?.path };
}

/** How a run over data stands: at work, stopped before its last row, or ended. */
export async function recordedStatus(
  path: string,
  store: RunReader,
): Promise<'Completed' | 'Failed' | 'Canceled' | 'Running'> {
  const state = lockState(path);
  if (state === 'running') return 'Running';
  const { Completed: completed, Failed: failed } = await store.rowCounts();
  const total = store.info.data?.total;
  const stopped = total === undefined ? state === 'stopped' : completed + failed < total;
  return bulkStatus({ completed, failed, stopped });
}

async function rowSummary(id: string, path: string, store: RunReader): Promise<RunSummary> {
  const rows = await allOf(store.rows());
  return {
    id,
    flow: store.info.flowName,
    startedAt: store.info.startedAt,
    status: rowStatus(rows, path),
    rows: rows.length,
    failed: rows.filter(({ status }) => status === 'Failed').length,
    total: rows.length,
    durationMs: rows.reduce((sum, row) => sum + row.durationMs, 0),
    inputs: rows[0]?.inputs ?? {},
  };
}

function rowStatus(
  rows: readonly { readonly status: string; readonly unfinished?: readonly string[] }[],
  path: string,
): RunSummary['status'] {
  if (rows.length === 0) return lockState(path) === 'running' ? 'Running' : 'Canceled';
  if (rows.some(({ status }) => status === 'Failed')) return 'Failed';
  if (rows.some(({ status }) => status === 'Canceled')) return 'Canceled';
  return rows.some(({ unfinished }) => (unfinished ?? []).length > 0) ? 'Unfinished' : 'Completed';
}
