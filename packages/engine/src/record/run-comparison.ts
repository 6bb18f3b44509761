import type { NodeStatus, RowRun } from './node-run.ts';

/** One node in a pair of rows, as far as statuses and hashes tell. */
export interface NodePair {
  /** As the right run calls it; as the left run does where only that has it. */
  readonly node: string;
  /** Absent where the run has no record of it. */
  readonly left?: NodeStatus;
  readonly right?: NodeStatus;
  /** Whether it gave something else, an output or an error. */
  readonly outputDiffers: boolean;
  /** Absent where one of the runs did not record what went in. */
  readonly inputsDiffer?: boolean;
  /** Absent where one of the runs has no fingerprint of it. */
  readonly fingerprintDiffers?: boolean;
}

/** One row of the left run set beside one of the right run. */
export interface RowPair {
  /** Absent where the row did not end. */
  readonly left?: RowRun['status'];
  readonly right?: RowRun['status'];
  readonly outputsDiffer: boolean;
  /** Names of the flow's inputs whose values differ. */
  readonly inputs: readonly string[];
  /** Of the nodes that run per row, in the order of the runs. */
  readonly nodes: readonly NodePair[];
}

/** Row pairs whose statuses and differences are the same, node by node: why they differ is the same, too. */
export interface RowPattern extends RowPair {
  readonly id: number;
  /** How many there are. */
  readonly rows: number;
}

/** A node of the left run and the one of the right run that it is compared with. */
export interface NodeAlignment {
  readonly left?: string;
  readonly right?: string;
}

/** A row in a run. */
export interface RowId {
  readonly line: number;
  readonly repeat: number;
}
