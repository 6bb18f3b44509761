import type { JsonValue } from '../value/json.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import type { RunReader } from './run-reader.ts';

export interface ReopenedRow {
  readonly line: number;
  readonly repeat?: number;
  /** Nothing of it stays. */
  readonly isAnew?: boolean;
}

/**
 * An append-only log of one run; what it gives to read is what was appended, durable or not yet. Every implementation passes
 * `runLogContract`.
 */
export interface RunLog extends RunReader {
  /**
   * Durable once it resolves. Nothing has to wait for it: records are kept in the order they were appended, and a failure to
   * keep one is met by every later call. Appending the same (line, repeat, node) or row again changes nothing.
   */
  append(nodes: readonly NodeRun[], row?: RowRun): Promise<void>;
  /** Durable once it resolves; a metric that is there already is overwritten. */
  appendMetrics(metrics: Readonly<Record<string, JsonValue>>): Promise<void>;
  /**
   * Takes back how rows ended and what did not complete in them, and what was worked out over all rows (aggregation
   * nodes, metrics), so that these rows can be run again. Nodes that completed stay, but for those whose records are `inexact`
   * and those of rows that begin anew.
   */
  reopen(rows: Iterable<ReopenedRow>): Promise<void>;
  /**
   * Makes what was appended durable, and looks whether it is there: asked before a run is told as recorded.
   *
   * @throws RunFileError when the record was removed, or replaced, while it was written
   */
  ensureKept(): Promise<void>;
}
