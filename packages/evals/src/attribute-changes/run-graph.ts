import type { PartChange } from './attribution.ts';

/** The nodes of two runs as one graph. */
export type RunGraph = ReadonlyMap<string, GraphNode>;

export interface GraphNode {
  /** As the right run calls it; as the left run does where only that has it. */
  readonly name: string;
  readonly kind: string;
  readonly loop?: string;
  readonly family?: string;
  readonly iteration?: number;
  readonly aggregation: boolean;
  /** The run that has it, where the other has not. */
  readonly onlyIn?: 'left' | 'right';
  /** Names of the nodes it reads or whose output decides whether it runs, in either run. */
  readonly reads: readonly string[];
  /** Names of the flow's inputs it reads, in either run. */
  readonly readsInputs: readonly string[];
  /** Parts of its definition that differ; undefined where a run does not tell its definitions. */
  readonly changedParts: readonly PartChange[] | undefined;
  /** Another connection than its own may have answered, in either run: its fingerprint tells which. */
  readonly hasFallback?: boolean;
  /** Of these, what its code read; no fingerprint holds it. */
  readonly changedReads?: readonly PartChange[];
  /** Which Unroll made each of the runs, where that differs. */
  readonly program: PartChange | undefined;
}
