import type { Attempt, ModelCall, ModelRequest, ModelResult, ModelService } from '@unroll/engine';
import type { Clock, Ending, ModelGate } from './model-gate.ts';

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
 * up to three in a row. What a 429 asks for holds back every call on the connection; any other failure this one alone.
 * Each try is told.
 */
export async function callWithRetries(
  service: ModelService,
  api: 'chat' | 'completion' | 'embedding',
  request: ModelRequest,
  call: ModelCall,
  { rule, gate, clock }: { readonly rule: RetryRule; readonly gate: ModelGate; readonly clock: Clock },
): Promise<RetriedCall> {
  const attempts: Attempt[] = [];
  let idleSince = clock.now();
  for (let tries = 0; ; tries += 1) {
    const turn = await gate.enter(clock, call.signal);
    const startedAt = clock.now();
    const result = await service.call(api, request, call);
    const usualMs = Math.min(longestWaitMs, rule.firstWaitSeconds * 1000 * 2 ** tries);
    gate.leave(turn, endingOf(result, usualMs), clock);
    const endedAt = clock.now();
    attempts.push(attempt(startedAt - idleSince, endedAt - startedAt, result));
    idleSince = endedAt;
    if (result.ok || !result.error.retryable || call.signal.aborted) return { result, attempts };
    if (tries >= rule.times || isUnprocessable(attempts)) return { result: exhausted(result, tries), attempts };
    if (!isRefusal(result)) await clock.sleep(result.retryAfterMs ?? usualMs, call.signal);
    if (call.signal.aborted) return { result, attempts };
  }
}

function attempt(waitedMs: number, durationMs: number, result: ModelResult): Attempt {
  return result.ok ? { waitedMs, durationMs } : { waitedMs, durationMs, error: result.error };
}

function endingOf(result: ModelResult, usualMs: number): Ending {
  if (result.ok) return { kind: 'answered', waitMs: result.retryAfterMs };
  return isRefusal(result) ? { kind: 'refused', waitMs: result.retryAfterMs ?? usualMs } : { kind: 'failed' };
}

function isRefusal({ error }: ModelFailure): boolean {
  return error.code === 'RateLimitError' && error.retryable;
}

type ModelFailure = Extract<ModelResult, { ok: false }>;

/** Whether the service could not process the request so often in a row that it never will. */
function isUnprocessable(attempts: readonly Attempt[]): boolean {
  const last = attempts.slice(-mostUnprocessable);
  return last.length === mostUnprocessable && last.every(({ error }) => error?.code === 'UnprocessableEntityError');
}

function exhausted(result: ModelFailure, tries: number): ModelResult {
  if (tries === 0) return result;
  return { ...result, error: { ...result.error, message: `Exceed max retry times. ${result.error.message}` } };
}
