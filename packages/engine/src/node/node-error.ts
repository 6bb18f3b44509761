import type { ServiceDetails } from './service-details.ts';

/** Why a node or a row failed: a failure of the world, not of the author's text. */
export interface NodeError {
  /** Error class, for instance `ToolExecutionError`, `RateLimitError`, `NodeTimeout`. */
  readonly code: string;
  readonly message: string;
  /** Whether the same call may succeed when made again. */
  readonly retryable: boolean;
  /** What there is instead, or what to do, in a sentence of this product. */
  readonly help?: string;
  /** Class and message of what the user's code or the service raised; `from`: what that was raised from, each in a text, nearest first. */
  readonly cause?: { readonly code: string; readonly message: string; readonly from?: readonly string[] };
  /** The user's own lines, newest last: `file.py:12 in search`. */
  readonly trace?: readonly string[];
  /** What is known of the service that failed. */
  readonly service?: ServiceDetails;
}

/** What an exception was raised from, a text for each, nearest first: it often says what the exception's own message does not. */
export function fromLines({ cause }: Pick<NodeError, 'cause'>): readonly string[] {
  return (cause?.from ?? []).map((one) => `from ${one.trimEnd()}`);
}
