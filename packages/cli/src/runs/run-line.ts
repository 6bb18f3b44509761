import { statSync } from 'node:fs';
import { openSqliteRunStore, type RunStore } from '@unroll/engine';
import { bulkStatus, lockState } from '@unroll/project';
import { summarizeValue } from '../text/summarize-value.ts';

/** A run as `flow runs --json` prints it. */
export type RunLine = {
  readonly id: string;
  readonly flow: string;
  readonly started_at: string;
  readonly status: 'Completed' | 'Failed' | 'Canceled' | 'Unfinished' | 'Running' | 'Unreadable';
  /** Rows that ended. */
  readonly rows: number;
  readonly failed: number;
  /** Rows there are to run; null where they were not counted. */
  readonly total: number | null;
  /** Of a run of one row; null for a run over data. */
  readonly duration_ms: number | null;
  /** Inputs of the only row, or the data, on one line. */
  readonly about: string;
};

/** What the list of runs says of one; a record that cannot be read is listed with the reason. */
export async function readRunLine(id: string, path: string): Promise<RunLine> {
  try {
    await using store = openSqliteRunStore(path);
    return store.info.data === undefined ? rowLine(id, store) : bulkLine(id, path, store);
  } catch (error) {
    const about = error instanceof Error ? error.message : String(error);
    const started_at = new Date(statSync(path).birthtimeMs).toISOString();
    return {
      id,
      flow: '',
      started_at,
      status: 'Unreadable',
      rows: 0,
      failed: 0,
      total: null,
      duration_ms: null,
      about,
    };
  }
}

function bulkLine(id: string, path: string, store: RunStore): RunLine {
  const { Completed: completed, Failed: failed, Canceled: canceled } = store.rowCounts();
  const { data, flowName, startedAt } = store.info;
  const total = data?.total ?? null;
  const rows = completed + failed + canceled;
  return {
    id,
    flow: flowName,
    started_at: new Date(startedAt).toISOString(),
    status: recordedStatus(path, store),
    rows,
    failed,
    total,
    duration_ms: null,
    about: data?.path ?? '',
  };
}

/** How a run over data stands: at work, stopped before its last row, or ended. */
export function recordedStatus(path: string, store: RunStore): 'Completed' | 'Failed' | 'Canceled' | 'Running' {
  const state = lockState(path);
  if (state === 'running') return 'Running';
  const { Completed: completed, Failed: failed } = store.rowCounts();
  const total = store.info.data?.total;
  const stopped = total === undefined ? state === 'stopped' : completed + failed < total;
  return bulkStatus({ completed, failed, stopped });
}

function rowLine(id: string, store: RunStore): RunLine {
  const rows = [...store.rows()];
  return {
    id,
    flow: store.info.flowName,
    started_at: new Date(store.info.startedAt).toISOString(),
    status: rowStatus(rows),
    rows: rows.length,
    failed: rows.filter(({ status }) => status === 'Failed').length,
    total: rows.length,
    duration_ms: Math.round(rows.reduce((sum, row) => sum + row.durationMs, 0)),
    about: summarizeValue(rows[0]?.inputs ?? {}, 200),
  };
}

function rowStatus(
  rows: readonly { readonly status: string; readonly unfinished?: readonly string[] }[],
): RunLine['status'] {
  if (rows.length === 0) return 'Running';
  if (rows.some(({ status }) => status === 'Failed')) return 'Failed';
  if (rows.some(({ status }) => status === 'Canceled')) return 'Canceled';
  return rows.some(({ unfinished }) => (unfinished ?? []).length > 0) ? 'Unfinished' : 'Completed';
}
