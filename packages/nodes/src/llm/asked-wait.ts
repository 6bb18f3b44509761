import type { ModelResult, NodeError } from '@unroll/engine';

/** Longest wait that a service may ask for. */
export const longestAskedMs = 600_000;

/** A failure as it is told: one of a service that asks for a longer wait than anybody waits says so. */
export function withAskedWait(error: NodeError, retryAfterMs = 0): NodeError {
  if (retryAfterMs <= longestAskedMs) return error;
  const asked = Math.round(retryAfterMs / 1000);
  const limit = `The service asks to wait ${asked} s; at most ${longestAskedMs / 1000} s are waited.`;
  return { ...error, message: `${error.message} ${limit}` };
}

/** Whether the service said "too many"; not where a quota is spent for good. */
export function isRefusal(result: ModelResult): boolean {
  return !result.ok && result.error.code === 'RateLimitError' && result.error.retryable;
}

/**
 * How long all calls on the connection wait, in milliseconds, since the service said so; undefined where it did not.
 *
 * @param usualMs where it refuses and names no time, or one for which nobody waits
 */
export function askedPauseMs(result: ModelResult, usualMs: number): number | undefined {
  const { retryAfterMs } = result;
  if (!isRefusal(result)) return result.ok ? retryAfterMs : undefined;
  return retryAfterMs === undefined || retryAfterMs > longestAskedMs ? usualMs : retryAfterMs;
}
