import type { JsonObject, JsonValue } from '../value/json.ts';
import type { FingerprintInputs } from './fingerprint-inputs.ts';
import type { NodeError } from './node-error.ts';

/** Tokens of the model calls made for a node; absent where no model was called. Whole numbers, 0 or more. */
export interface Usage {
  /** All that was sent, whether or not the service had some of it in its cache. */
  readonly promptTokens: number;
  /** All that was answered, what the model thought to itself included. */
  readonly completionTokens: number;
  readonly totalTokens: number;
  /** What some of these tokens were, as far as the service tells it. */
  readonly details?: UsageDetails;
  /** Whose prices hold, where another connection than the node's own answered. */
  readonly billedAs?: { readonly connectionType: string; readonly model: string };
  /** What each model took of it, where code asked several itself: their prices hold. */
  readonly parts?: readonly Usage[];
  /** Calls of the node's code that told no tokens: it was more. */
  readonly untoldCalls?: number;
}

/** Parts of `promptTokens` and `completionTokens`, never more tokens than these; absent where none were told. */
export interface UsageDetails {
  /** Of the prompt: read from the service's cache. */
  readonly cachedTokens?: number;
  /** Of the prompt: written to that cache. */
  readonly cacheWriteTokens?: number;
  readonly audioPromptTokens?: number;
  /** Of the completion: what the model thought to itself. */
  readonly reasoningTokens?: number;
  readonly audioCompletionTokens?: number;
  /** Of the completion: foretold by the request, and right or not. */
  readonly acceptedPredictionTokens?: number;
  readonly rejectedPredictionTokens?: number;
}

/** One try of a call to the world: the n-th, how it ended, and how long was waited before it. */
export interface Attempt {
  /** Who was asked, where it is not the node's own connection, and for which model. */
  readonly fallback?: { readonly connection: string; readonly model: string };
  readonly error?: NodeError;
  readonly waitedMs: number;
  readonly durationMs: number;
}

/** Everything a node tells beside its output goes to its record. */
export interface NodeReport {
  readonly usage?: Usage;
  readonly promptMessages?: JsonValue;
  /** How likely the tokens of a model's answer were, where the node asked for it, as `ModelReply` has it. */
  readonly logprobs?: JsonValue;
  /** Pieces in which a model answered that was asked for a stream; told while a row runs, not kept in stores. */
  readonly pieces?: readonly string[];
  readonly attempts?: readonly Attempt[];
  readonly logs?: { readonly stdout: string; readonly stderr: string };
  readonly warnings?: readonly string[];
  /** Metrics logged by an aggregation node. */
  readonly metrics?: JsonObject;
  /** What the output depends on, as in `NodeRun`. */
  readonly fingerprint?: string;
  readonly cache?: 'hit' | 'miss';
  readonly cachedFrom?: string;
  /** The output was given: it is what an expectation says, not what the node made. */
  readonly oracle?: true;
  /** Why no later run can take this output: `its output is no JSON`. */
  readonly notKept?: string;
  /** What the code of the node has read so far in this run, as in `NodeRun`. */
  readonly reads?: FingerprintInputs;
}

/** The connection that answered in the place of the node's own; undefined where none did. */
export function answeringFallback({ attempts }: Pick<NodeReport, 'attempts'>): Attempt['fallback'] {
  const last = attempts?.at(-1);
  return last?.error === undefined ? last?.fallback : undefined;
}
