import type { Budget, BulkResult, JsonObject, NodeRun, RowError, RowRun } from '@unroll/engine';
import type { ProgressView } from './run-progress.ts';

/** A recorded run: its id, its file, and the path of that as it can be typed. */
export interface RunRecord {
  readonly id: string;
  readonly file: string;
  readonly path: string;
}

/** What came of one row, with the nodes over all rows, which ran over it alone. */
export interface RowOutcome {
  readonly kind: 'row';
  readonly row: RowRun;
  /** In the order in which they ended. */
  readonly nodes: readonly NodeRun[];
  /** What aggregation nodes gave. */
  readonly metrics: JsonObject;
  /** What failed: the row, or else an aggregation node after it. */
  readonly failure: RowError | undefined;
  /** Absent where it could not be recorded. */
  readonly record?: RunRecord;
  /** Why it could not be recorded. */
  readonly recordFailure?: string;
}

/** What came of one node that ran alone. */
export interface NodeOutcome {
  readonly kind: 'node';
  /** As if the node were the flow: what it gave is `outputs.output`. */
  readonly row: RowRun;
  readonly run: NodeRun;
  readonly record: RunRecord;
}

export type BulkStatus = 'Completed' | 'Failed' | 'Canceled' | 'Running';

/** What came of a run over data. */
export interface BulkOutcome {
  readonly kind: 'dataset';
  readonly result: BulkResult;
  readonly status: BulkStatus;
  readonly view: ProgressView;
  /** What the aggregation nodes gave. */
  readonly metrics: JsonObject;
  readonly record: RunRecord;
  /** What a run that stopped for its budget spent of it. */
  readonly budget?: string | undefined;
  /** What it was allowed to take. */
  readonly limits: { readonly timeoutMs?: number | undefined; readonly budget?: Budget | undefined };
}

export type RunOutcome = RowOutcome | NodeOutcome | BulkOutcome;
