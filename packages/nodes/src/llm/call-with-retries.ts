import type { Attempt, ModelCall, ModelRequest, ModelResult, ModelService } from '@unroll/engine';
import type { Clock, ModelGate } from './model-gate.ts';

export interface RetryRule {
  /** Further tries after the first. */
  readonly times: number;
  /** Seconds before the first further try when the service names none; then doubled, at most 60. */
  readonly firstWaitSeconds: number;
}

export const defaultRetryRule: RetryRule = { times: 10, firstWaitSeconds: 1 };

/** How a call ended, and every try on the way. */
export interface RetriedCall {
  readonly result: ModelResult;
  readonly attempts: readonly Attempt[];
}

const longestWaitMs = 60_000;
const mostUnprocessable = 3;

/**
 * Calls a model, again where a failure may pass: 5xx, 429 (but for a spent quota), time-outs, broken connections, and 422
 * up to three in a row. `Retry-After` is honoured and keeps back every call on the connection. Each try is told.
 */
export async function callWithRetries(
  service: ModelService,
  api: 'chat' | 'completion' | 'embedding',
  request: ModelRequest,
  call: ModelCall,
  options: { readonly rule: RetryRule; readonly gate: ModelGate; readonly clock: Clock },
): Promise<RetriedCall> {
  const { rule, gate, clock } = options;
  const attempts: Attempt[] = [];
  let unprocessable = 0;
  for (let tries = 0; ; tries += 1) {
    const waitedMs = await gate.pass(clock, call.signal);
    const startedAt = clock.now();
    const result = await service.call(api, request, call);
    const durationMs = clock.now() - startedAt;
    attempts.push({ waitedMs, durationMs, ...(result.ok ? {} : { error: result.error }) });
    if (result.ok || !result.error.retryable || call.signal.aborted) return { result, attempts };
    unprocessable = result.error.code === 'UnprocessableEntityError' ? unprocessable + 1 : 0;
    if (tries >= rule.times || unprocessable >= mostUnprocessable)
      return { result: exhausted(result, tries), attempts };
    const waitMs = result.retryAfterMs ?? Math.min(longestWaitMs, rule.firstWaitSeconds * 1000 * 2 ** tries);
    if (result.error.code === 'RateLimitError') gate.close(waitMs, clock);
    else await clock.sleep(waitMs, call.signal);
    if (call.signal.aborted) return { result, attempts };
  }
}

function exhausted(result: Extract<ModelResult, { ok: false }>, tries: number): ModelResult {
  if (tries === 0) return result;
  return { ...result, error: { ...result.error, message: `Exceed max retry times. ${result.error.message}` } };
}
