import {
  type Attempt,
  currentTrace,
  type ModelApi,
  type ModelCall,
  type ModelRequest,
  type ModelResult,
  type ModelService,
  type NodeCall,
} from '@unroll/engine';
import { isUnreached } from '../http/cause-of.ts';
import { askedPauseMs, isRefusal, longestAskedMs, withAskedWait } from './asked-wait.ts';
import type { Clock, ConcurrencyLimiter, Ending } from './concurrency-limiter.ts';

export interface RetryRule {
  /** Further tries after the first. */
  readonly times: number;
  /** Seconds before the first further try when the service names none; then doubled, at most 60. */
  readonly firstWaitSeconds: number;
  /** Further tries where another connection is asked behind them; `times` where absent. */
  readonly timesBeforeFallback?: number;
  /** Further tries in a row while nobody listens at the address; `times` where absent. */
  readonly unreachedTimes?: number;
}

/** A server that is down is told within seconds, not minutes. */
export const defaultRetryRule: RetryRule = { times: 10, firstWaitSeconds: 1, unreachedTimes: 3 };

/** How a call ended, and every try on the way. */
export interface RetriedCall {
  readonly result: ModelResult;
  readonly attempts: readonly Attempt[];
  /** Some of an answer was handed on and cannot be taken back: nobody is asked after it. */
  readonly isHandedOn: boolean;
}

const longestWaitMs = 60_000;
/** Failures that may pass, and will not where they come so often in a row; each is one try. */
const maxInARow: Readonly<Record<string, number>> = { UnprocessableEntityError: 3, UnusableAnswer: 5 };

export interface RetryCall {
  readonly rule: RetryRule;
  readonly gate: ConcurrencyLimiter;
  readonly clock: Clock;
  /** Takes back the text that was handed on; where absent, a stream of which some was is not asked for again. */
  readonly takeBack?: () => void;
  /** As in `NodeCall`. */
  readonly onCallFailed?: NodeCall['onCallFailed'];
}

/**
 * Calls a model, again where a failure may pass: 5xx, 429 (but for a spent quota), time-outs, broken connections and streams,
 * and up to some in a row (`maxInARow`) answers that are none and 422. What a 429 asks for holds back every call on the connection; any other
 * failure this one alone. A service that asks for a longer wait than 10 minutes is not waited for. Each try is told.
 */
export function callWithRetries(
  service: ModelService,
  api: ModelApi,
  request: ModelRequest,
  call: ModelCall,
  retry: RetryCall,
): Promise<RetriedCall> {
  const ask = (): Promise<RetriedCall> => askUntilAnswered(service, api, request, call, retry);
  const { calls } = currentTrace() ?? {};
  if (calls === undefined) return ask();
  const { provider } = service;
  const { onText, redactor } = call;
  const about = { api, request, isStream: onText !== undefined, redactor };
  return calls.modelCall(provider === undefined ? about : { ...about, provider }, ask);
}

async function askUntilAnswered(
  service: ModelService,
  api: ModelApi,
  request: ModelRequest,
  call: ModelCall,
  { rule, gate, clock, takeBack, onCallFailed }: RetryCall,
): Promise<RetriedCall> {
  const isKept = takeBack === undefined;
  const attempts: Attempt[] = [];
  let idleSince = clock.now();
  for (let tries = 0; ; tries += 1) {
    const turn = await gate.enter(clock, call.signal, tries);
    const startedAt = clock.now();
    const watched = watchText(call);
    const result = await service.call(api, request, watched.call);
    const usualMs = Math.min(longestWaitMs, rule.firstWaitSeconds * 1000 * 2 ** tries);
    gate.leave(turn, endingOf(result, usualMs), clock);
    const endedAt = clock.now();
    attempts.push(attempt(startedAt - idleSince, endedAt - startedAt, result));
    idleSince = endedAt;
    const isHandedOn = isKept && watched.isShown();
    if (result.ok || !result.error.retryable || call.signal.aborted) return { result, attempts, isHandedOn };
    const end = givenUp(result, attempts, rule, isHandedOn);
    if (end !== undefined) return { result: end, attempts, isHandedOn };
    takeBack?.();
    const waitMs = result.retryAfterMs ?? usualMs;
    onCallFailed?.(result.error, waitMs);
    if (!isRefusal(result)) await clock.sleep(waitMs, call.signal);
    if (call.signal.aborted) return { result, attempts, isHandedOn };
  }
}

interface WatchedCall {
  readonly call: ModelCall;
  /** Whether any text was handed on. */
  readonly isShown: () => boolean;
}

function watchText(call: ModelCall): WatchedCall {
  const { onText } = call;
  if (onText === undefined) return { call, isShown: () => false };
  let isShown = false;
  const watching = (text: string): void => {
    isShown ||= text !== '';
    onText(text);
  };
  return { call: { ...call, onText: watching }, isShown: () => isShown };
}

/**
 * Why there is no further try; undefined where there is one.
 *
 * @param isShown some of the answer was handed on: the next answer would stand behind it
 */
function givenUp(
  result: ModelFailure,
  attempts: readonly Attempt[],
  rule: RetryRule,
  isShown: boolean,
): ModelResult | undefined {
  if (isShown) return withAddedText(result, 'Some of the answer was handed on, so it is not asked for again.');
  const tries = attempts.length - 1;
  const { retryAfterMs = 0 } = result;
  if (retryAfterMs > longestAskedMs) return { ...result, error: withAskedWait(result.error, retryAfterMs) };
  const { times, unreachedTimes = times } = rule;
  const isOver = tries >= times || isTheSameAgain(attempts) || areUnreached(attempts, unreachedTimes);
  return isOver ? exhausted(result, tries) : undefined;
}

function withAddedText(result: ModelFailure, what: string): ModelResult {
  return { ...result, error: { ...result.error, message: `${result.error.message} ${what}` } };
}

function areUnreached(attempts: readonly Attempt[], times: number): boolean {
  const last = attempts.slice(-times - 1);
  return last.length > times && last.every(({ error }) => isUnreached(error?.service?.errno));
}

function attempt(waitedMs: number, durationMs: number, result: ModelResult): Attempt {
  return result.ok ? { waitedMs, durationMs } : { waitedMs, durationMs, error: result.error };
}

function endingOf(result: ModelResult, usualMs: number): Ending {
  if (result.ok) return { kind: 'answered', waitMs: result.retryAfterMs };
  const waitMs = askedPauseMs(result, usualMs);
  return waitMs === undefined ? { kind: 'failed' } : { kind: 'refused', waitMs };
}

type ModelFailure = Extract<ModelResult, { ok: false }>;

/** Whether the service failed in one way so often in a row that it will again. */
function isTheSameAgain(attempts: readonly Attempt[]): boolean {
  const { code = '' } = attempts.at(-1)?.error ?? {};
  const max = maxInARow[code] ?? Number.POSITIVE_INFINITY;
  const last = attempts.slice(-max);
  return last.length === max && last.every(({ error }) => error?.code === code);
}

function exhausted(result: ModelFailure, tries: number): ModelResult {
  if (tries === 0) return result;
  return { ...result, error: { ...result.error, message: `Exceed max retry times. ${result.error.message}` } };
}
