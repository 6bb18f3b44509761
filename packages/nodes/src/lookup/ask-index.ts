import type {
  Attempt,
  JsonObject,
  NodeError,
  NodeOutcome,
  SearchHit,
  SearchIndex,
  SearchOptions,
  SearchResult,
} from '@unroll/engine';
import { longestAskedMs, withAskedWait } from '../llm/asked-wait.ts';
import type { RetryRule } from '../llm/call-with-retries.ts';
import type { Clock } from '../llm/concurrency-limiter.ts';

const longestWaitMs = 60_000;

/**
 * Asks an index, again where a failure may pass (throttling, a server that is busy); `Retry-After` is honoured. Every try
 * is told. Plain where the index answers at once.
 */
export function askIndex(
  index: SearchIndex,
  query: string,
  options: SearchOptions,
  { rule, clock }: { readonly rule: RetryRule; readonly clock: Clock },
): NodeOutcome | Promise<NodeOutcome> {
  const first = index.search(query, options);
  return first instanceof Promise
    ? askAgain(first, () => index.search(query, options), options, rule, clock)
    : outcomeOf(first, []);
}

async function askAgain(
  first: Promise<SearchResult>,
  ask: () => SearchResult | Promise<SearchResult>,
  { signal = new AbortController().signal }: SearchOptions,
  rule: RetryRule,
  clock: Clock,
): Promise<NodeOutcome> {
  const attempts: Attempt[] = [];
  let startedAt = clock.now();
  let waitedMs = 0;
  for (let tries = 0; ; tries += 1) {
    const result = await (tries === 0 ? first : ask());
    const durationMs = clock.now() - startedAt;
    attempts.push({ waitedMs, durationMs, ...errorOf(result) });
    if (tries >= rule.times || isFinal(result) || signal.aborted) return outcomeOf(result, attempts);
    const endedAt = clock.now();
    const usualMs = Math.min(longestWaitMs, rule.firstWaitSeconds * 1000 * 2 ** tries);
    await clock.sleep(waitOf(result) ?? usualMs, signal);
    if (signal.aborted) return outcomeOf(result, attempts);
    startedAt = clock.now();
    waitedMs = startedAt - endedAt;
  }
}

function waitOf(result: SearchResult): number | undefined {
  return result.ok ? undefined : result.retryAfterMs;
}

function errorOf(result: SearchResult): Pick<Attempt, 'error'> {
  return result.ok ? {} : { error: result.error };
}

function isFinal(result: SearchResult): boolean {
  return result.ok || !result.error.retryable || (result.retryAfterMs ?? 0) > longestAskedMs;
}

function outcomeOf(result: SearchResult, attempts: readonly Attempt[]): NodeOutcome {
  const report = attempts.length > 1 ? { report: { attempts } } : {};
  if (!result.ok) return { ok: false, error: withAskedWait(result.error, result.retryAfterMs), ...report };
  return { ok: true, output: result.hits.map(hitValue), ...report };
}

function hitValue({ id, title, text, score, fields }: SearchHit): JsonObject {
  return { ...fields, id, title: title ?? null, text, score };
}

export function lookupError(message: string): NodeError {
  return { code: 'LookupError', message, retryable: false };
}
