import type { NodePair } from '@unroll/engine';
import type { Attribution, ChangeKind, ChangePath, PartChange } from '../attribute-changes/attribution.ts';

/** Everything two runs differ in, as counts; which rows, and what they hold, is asked for apart. */
export interface RunDiff {
  readonly rows: RowCounts;
  /** One for each node in the order of the flow, the instances of a loop's node as one unless asked by iteration. */
  readonly nodes: readonly NodeDiff[];
  /** What differs in the row pairs of each pattern, by its id; patterns without a difference are not in it. */
  readonly patterns: ReadonlyMap<number, readonly RowChange[]>;
}

export interface RowCounts {
  readonly left: number;
  readonly right: number;
  /** Rows of both runs. */
  readonly paired: number;
  /** Of the pairs: no node and no output differs. */
  readonly same: number;
  /** Of the pairs: the outputs of the flow, or how the row ended, differ. */
  readonly outputsDiffer: number;
  /** Of the pairs: the row failed on that side only. */
  readonly failedLeft: number;
  readonly failedRight: number;
  readonly onlyLeft: number;
  readonly onlyRight: number;
}

/** One node, or the instances of one node of a loop together, over all row pairs. */
export interface NodeDiff {
  readonly name: string;
  readonly kind: string;
  /** Names of its instances; of a node outside a loop its own. */
  readonly instances: readonly string[];
  readonly isAggregation: boolean;
  readonly onlyIn?: 'left' | 'right';
  /** Parts of its definition that differ; undefined where a run does not tell. */
  readonly changedParts: readonly PartChange[] | undefined;
  /** Row pairs in which all of it is the same; for an aggregation node 0 or 1. */
  readonly same: number;
  readonly changed: number;
  /** Of the changed: how it ended differs. */
  readonly statusDiffers: number;
  readonly failedLeft: number;
  readonly failedRight: number;
  /** The changed row pairs by why. */
  readonly kinds: Readonly<Partial<Record<ChangeKind, number>>>;
  /** Of the effects, those of a changed definition, else of other inputs of the row, else of noise, else of what is not known. */
  readonly effectsOf: Readonly<Partial<Record<ChangePath['from'], number>>>;
  /** Parts that are to blame where it is a cause, as in `Attribution`. */
  readonly causeParts: readonly PartChange[];
  /** Where changed inputs come from, most rows first: nodes as named here, inputs of the flow as `inputs.query`. */
  readonly origins: readonly Origin[];
}

export interface Origin {
  readonly name: string;
  readonly from: ChangePath['from'];
  readonly rows: number;
  /** A way from there to here, the most frequent one. */
  readonly steps: readonly string[];
}

/** One node that differs in a row pair. */
export interface RowChange {
  /** Name of its `NodeDiff`. */
  readonly of: string;
  readonly pair: NodePair;
  readonly attribution: Attribution;
}
