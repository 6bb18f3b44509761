import type {
  Attempt,
  NodeError,
  NodeOutcome,
  SearchHit,
  SearchIndex,
  SearchOptions,
  SearchResult,
  Values,
} from '@unroll/engine';
import type { RetryRule } from '../llm/call-with-retries.ts';
import type { Clock } from '../llm/model-gate.ts';

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
    attempts.push({ waitedMs, durationMs, ...(result.ok ? {} : { error: result.error }) });
    if (result.ok || !result.error.retryable || tries >= rule.times || signal.aborted)
      return outcomeOf(result, attempts);
    const endedAt = clock.now();
    const usualMs = Math.min(longestWaitMs, rule.firstWaitSeconds * 1000 * 2 ** tries);
    await clock.sleep(result.retryAfterMs ?? usualMs, signal);
    if (signal.aborted) return outcomeOf(result, attempts);
    startedAt = clock.now();
    waitedMs = startedAt - endedAt;
  }
}

function outcomeOf(result: SearchResult, attempts: readonly Attempt[]): NodeOutcome {
  const report = attempts.length > 1 ? { report: { attempts } } : {};
  if (!result.ok) return { ok: false, error: result.error, ...report };
  return { ok: true, output: result.hits.map(hitValue), ...report };
}

function hitValue({ id, title, text, score, fields }: SearchHit): Values {
  return { ...fields, id, title: title ?? null, text, score };
}

export function lookupError(message: string): NodeError {
  return { code: 'LookupError', message, retryable: false };
}
