import type { NodeError } from '@unroll/engine';

/** Longest wait that a service may ask for. */
export const longestAskedMs = 600_000;

/** A failure as it is told: one of a service that asks for a longer wait than anybody waits says so. */
export function withAskedWait(error: NodeError, retryAfterMs = 0): NodeError {
  if (retryAfterMs <= longestAskedMs) return error;
  const asked = Math.round(retryAfterMs / 1000);
  const told = `The service asks to wait ${asked} s; at most ${longestAskedMs / 1000} s are waited.`;
  return { ...error, message: `${error.message} ${told}` };
}
