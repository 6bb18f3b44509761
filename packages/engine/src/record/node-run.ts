import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import type { NodeError } from '../node/node-error.ts';
import type { Attempt, Usage } from '../node/node-report.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { SharedPlace } from '../value/shared-places.ts';

/**
 * `Bypassed`: a condition said there is nothing to do; harmless, the output is null.
 * `NotRun`: something before it failed. `Canceled`: stopped while it ran (time limit, Ctrl-C).
 */
export type NodeStatus = 'Completed' | 'Bypassed' | 'Failed' | 'Canceled' | 'NotRun';

/** What became of one node for one row. Plain data, append-only: the state of a run is a fold over these. */
export interface NodeRun {
  /** Index of the row in its dataset, from 0. */
  readonly line: number;
  /** Which repetition of the row, from 0; absent is 0. */
  readonly repeat?: number;
  readonly node: string;
  /** Node type as written: `llm`, `python`, `prompt`, `lookup`. */
  readonly kind: string;
  readonly status: NodeStatus;
  readonly inputs?: JsonObject;
  readonly output?: JsonValue;
  readonly error?: NodeError;
  /** Milliseconds since the epoch; absent for a node that did not run. */
  readonly startedAt?: number;
  readonly durationMs?: number;
  readonly attempts?: readonly Attempt[];
  readonly usage?: Usage;
  /** The messages as they were sent, for nodes that call a chat model. */
  readonly promptMessages?: JsonValue;
  /** How likely the tokens of a model's answer were, where the node asked for it. */
  readonly logprobs?: JsonValue;
  /** Pieces in which a model answered that was asked for a stream; told while a row runs, not kept in stores. */
  readonly pieces?: readonly string[];
  /** What the user's code printed. */
  readonly logs?: { readonly stdout: string; readonly stderr: string };
  readonly warnings?: readonly string[];
  /** Metrics that an aggregation node logged. */
  readonly metrics?: JsonObject;
  readonly cache?: 'hit' | 'miss';
  /** What the output depends on, 32 hexadecimal digits: the same fingerprint means nothing that counts has changed. */
  readonly fingerprint?: string;
  /** Id of the run the output was taken from. */
  readonly cachedFrom?: string;
  /** The output was given: it is what an expectation says, not what the node made. */
  readonly oracle?: true;
  /** Fields in which a secret was replaced: they are not what the node gave or got. */
  readonly redacted?: readonly string[];
  /** Why no later run can take this output, where none can: `its output is no JSON`. */
  readonly notKept?: string;
  /**
   * What the code of the node had read until then in this run, whatever row it ran for; kept once a node, as `nodeReads` of
   * the run.
   */
  readonly reads?: FingerprintInputs;
  /** As in `NodeSuccess`: what a row needs to go on from this record. */
  readonly beside?: JsonObject;
  readonly changed?: JsonObject;
  readonly shared?: readonly SharedPlace[];
  /**
   * The output as it is recorded is not what the node gave: its JSON does not tell all of it (`copied`: a tuple, a picture), it
   * is only the text of an object (`shown`), or a secret in it was replaced (`redacted`). Where the row goes on, the node runs again.
   */
  readonly inexact?: 'copied' | 'shown' | 'redacted';
}

/** What became of one row: outputs of the flow, or why there are none. */
export interface RowRun {
  readonly line: number;
  /** Which repetition of the row, from 0; absent is 0. */
  readonly repeat?: number;
  readonly status: 'Completed' | 'Failed' | 'Canceled';
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  readonly error?: RowError;
  readonly startedAt: number;
  readonly durationMs: number;
  /** Names of the loops that reached their bound unfinished. */
  readonly unfinished?: readonly string[];
}

export interface RowError extends NodeError {
  /** The node that failed; absent where an output or an input of the flow is to blame. */
  readonly node?: string;
}
