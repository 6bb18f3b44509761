import type { NodeStatus, RowRun } from './node-run.ts';

/** One node in a pair of rows, as far as statuses and hashes tell. */
export interface NodePair {
  /** As the right run calls it; as the left run does where only that has it. */
  readonly node: string;
  /** Absent where the run has no record of it. */
  readonly left?: NodeStatus | undefined;
  readonly right?: NodeStatus | undefined;
  /** Whether it gave something else, an output or an error. */
  readonly outputDiffers: boolean;
  /** Absent where one of the runs did not record what went in. */
  readonly inputsDiffer?: boolean | undefined;
  /** Absent where one of the runs has no fingerprint of it. */
  readonly fingerprintDiffers?: boolean | undefined;
}

/** One row of the left run set beside one of the right run. */
export interface RowPair {
  readonly left: RowRun['status'];
  readonly right: RowRun['status'];
  /** Whether the flow gave something else, its outputs or its error. */
  readonly outputsDiffer: boolean;
  /** Names of the flow's inputs whose values differ. */
  readonly inputs: readonly string[];
  /** The nodes that ended otherwise or gave something else, in the order of the runs; not those that run over all rows. */
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

/** Two runs compared row by row and node by node, without their payloads. */
export interface RunComparison extends Disposable {
  /** What paired the rows: a declared key, what went into them, or their place in the data alone. */
  readonly pairedBy: 'key' | 'content' | 'line';
  /** Ended rows of each run, and those of them that the other has not. */
  readonly left: number;
  readonly right: number;
  readonly onlyLeft: number;
  readonly onlyRight: number;
  /** Every pair of rows, counted by pattern. */
  readonly patterns: readonly RowPattern[];
  /** Of the nodes that run once, over all rows. */
  readonly aggregation: readonly NodePair[];
  /** The first pairs of these patterns, in the order of the left run. */
  pairs(patterns: readonly number[], limit: number): readonly RowPairId[];
  /** The first rows that only one run has. */
  unpaired(side: 'left' | 'right', limit: number): readonly RowId[];
}

export interface RowPairId {
  readonly pattern: number;
  readonly left: RowId;
  readonly right: RowId;
}

/** A row with what it is known by. */
export interface KeyedRow extends RowId {
  readonly key: string;
}

/** A row in a run. */
export interface RowId {
  readonly line: number;
  readonly repeat: number;
}
