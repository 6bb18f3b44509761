import type { ModelResult, NodeError } from '@unroll/engine';

/** What the client library throws, as far as it is looked at. */
interface ThrownByClient {
  readonly name?: string;
  readonly message?: string;
  readonly status?: number;
  readonly code?: string | null;
  readonly type?: string | null;
  readonly headers?: { get(name: string): string | null };
  readonly constructor?: { readonly name?: string };
}

/** Takes secrets out of a text: nothing a service says may carry a key into a record. */
export function scrubber(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= 4).sort((left, right) => right.length - left.length);
  return (text) =>
    known
      .reduce((scrubbed, secret) => scrubbed.replaceAll(secret, '***'), text)
      .replaceAll(/\b(sk-[\w*-]{8,}|Bearer\s+[\w.-]{8,})/g, '***');
}

/** A failed call as a value, worded as Prompt flow's `WrappedOpenAIError`. */
export function describeFailure(thrown: unknown, scrub: (text: string) => string): ModelResult {
  const error = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  ) as ThrownByClient;
  const code = className(error);
  const text = scrub(error.message ?? '');
  const described: NodeError = {
    code,
    message: wording(code, text, error),
    retryable: isRetryable(error, code, text),
    codes: ['UserError', 'OpenAIError', code],
  };
  const retryAfterMs = error.headers === undefined ? undefined : readRetryAfter(error.headers, Date.now());
  return { ok: false, error: described, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function className({ constructor: thrownClass, name }: ThrownByClient): string {
  const own = thrownClass?.name ?? name ?? 'Error';
  return own === 'Object' ? (name ?? 'Error') : own;
}

const reference = '[Error reference: https://platform.openai.com/docs/guides/error-codes/api-errors]';

function wording(code: string, text: string, { status }: ThrownByClient): string {
  if (text === '' && status === 401) {
    return 'OpenAI API hits AuthenticationError: The api key is invalid or revoked. You can correct or regenerate the api key of your connection.';
  }
  return `OpenAI API hits ${code}: ${text} ${reference}`;
}

function isRetryable({ status, type, code }: ThrownByClient, name: string, text: string): boolean {
  if (status === 429) return type !== 'insufficient_quota' && code !== 'insufficient_quota';
  if (status !== undefined) return status >= 500 || status === 422 || status === 408 || status === 409;
  return (
    name === 'APIConnectionTimeoutError' ||
    (name === 'APIConnectionError' && !/invalid url|ERR_INVALID_URL/i.test(text))
  );
}

/**
 * Milliseconds to wait from `retry-after-ms`, or `retry-after` in seconds or as an HTTP date (RFC 9110, 10.2.3).
 *
 * @param now milliseconds since the epoch
 */
export function readRetryAfter(headers: { get(name: string): string | null }, now: number): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) return exact;
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = Number(text);
  if (text.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
