import type { RunSummary } from '@unroll/project';
import { summarizeValue } from '@unroll/project/words';

/** A run as `flow runs --json` prints it. */
export type RunLine = {
  readonly id: string;
  readonly flow: string;
  readonly started_at: string;
  readonly status: RunSummary['status'];
  /** Rows that ended. */
  readonly rows: number;
  readonly failed: number;
  /** Rows there are to run; null where they were not counted. */
  readonly total: number | null;
  /** Of a run of one row; null for a run over data. */
  readonly duration_ms: number | null;
  /** Inputs of the only row, or the data, on one line. */
  readonly about: string;
  /** What people say of it; null where they say nothing. */
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly note: string | null;
};

/** What the list of runs says of one; a record that cannot be read is listed with the reason. */
export function runLine(summary: RunSummary): RunLine {
  const { id, flow, startedAt, status, rows, failed, total = null, durationMs, marks, ...about } = summary;
  return {
    id,
    flow,
    started_at: new Date(startedAt).toISOString(),
    status,
    rows,
    failed,
    total,
    duration_ms: durationMs === undefined ? null : Math.round(durationMs),
    about: about.problem ?? about.data ?? (about.inputs === undefined ? '' : summarizeValue(about.inputs, 200)),
    name: marks?.name ?? null,
    tags: marks?.tags ?? [],
    note: marks?.note ?? null,
  };
}
