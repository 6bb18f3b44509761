import type { Value, Values } from '../value/json.ts';
import type { NodeError } from './node-error.ts';

/** Tokens of the model calls made for a node; absent where no model was called. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
}

/** One try of a call to the world: the n-th, how it ended, and how long was waited before it. */
export interface Attempt {
  readonly error?: NodeError;
  readonly waitedMs: number;
  readonly durationMs: number;
}

/** Everything a node tells beside its output goes to its record. */
export interface NodeReport {
  readonly usage?: Usage;
  readonly promptMessages?: Value;
  /** Pieces in which a model answered that was asked for a stream; told while a row runs, not kept in stores. */
  readonly pieces?: readonly string[];
  readonly attempts?: readonly Attempt[];
  readonly logs?: { readonly stdout: string; readonly stderr: string };
  readonly warnings?: readonly string[];
  /** Metrics logged by an aggregation node. */
  readonly metrics?: Values;
  /** What the output depends on, as in `NodeRun`. */
  readonly fingerprint?: string;
  readonly cache?: 'hit' | 'miss';
  readonly cachedFrom?: string;
  /** The output was given: it is what an expectation says, not what the node made. */
  readonly oracle?: true;
  /** Why no later run can take this output: `its output is no JSON`. */
  readonly notKept?: string;
}
