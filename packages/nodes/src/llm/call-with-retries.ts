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
  let idleSince = clock.now();
  for (let tries = 0; ; tries += 1) {
    await gate.pass(clock, call.signal);
    const startedAt = clock.now();
    const waitedMs = startedAt - idleSince;
    const result = await service.call(api, request, call);
    idleSince = clock.now();
    const durationMs = idleSince - startedAt;
    attempts.push({ waitedMs, durationMs, ...(result.ok ? {} : { error: result.error }) });
    if (result.ok || !result.error.retryable || call.signal.aborted) return { result, attempts };
    unprocessable = countUnprocessable(unprocessable, result);
    const isLast = tries >= rule.times || unprocessable >= mostUnprocessable;
    if (isLast) return { result: exhausted(result, tries), attempts };
    await holdBack(result, Math.min(longestWaitMs, rule.firstWaitSeconds * 1000 * 2 ** tries), call.signal, options);
    if (call.signal.aborted) return { result, attempts };
  }
}

/** Too many requests close the gate for all calls; any other failure holds back this one. */
async function holdBack(
  { error, retryAfterMs }: ModelFailure,
  usualMs: number,
  signal: AbortSignal,
  { gate, clock }: { readonly gate: ModelGate; readonly clock: Clock },
): Promise<void> {
  const waitMs = retryAfterMs ?? usualMs;
  if (error.code === 'RateLimitError') gate.close(waitMs, clock);
  else await clock.sleep(waitMs, signal);
}

type ModelFailure = Extract<ModelResult, { ok: false }>;

function countUnprocessable(inRow: number, { error }: ModelFailure): number {
  return error.code === 'UnprocessableEntityError' ? inRow + 1 : 0;
}

function exhausted(result: ModelFailure, tries: number): ModelResult {
  if (tries === 0) return result;
  return { ...result, error: { ...result.error, message: `Exceed max retry times. ${result.error.message}` } };
}
