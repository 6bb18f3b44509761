import type { ModelResult } from '@unroll/engine';
import { wording } from './error-wording.ts';
import { readRetryAfter } from './read-retry-after.ts';
import { refusalMessage } from './refused-bodies.ts';

/** What the client library throws, as far as it is looked at. */
interface ThrownByClient {
  readonly name?: string;
  readonly message?: string;
  readonly status?: number;
  readonly code?: string | null;
  readonly type?: string | null;
  readonly headers?: { get(name: string): string | null };
  readonly cause?: unknown;
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
  const retryAfterMs = error.headers === undefined ? undefined : readRetryAfter(error.headers, Date.now());
  return {
    ok: false,
    error: {
      code,
      message: wording(code, scrub(textOf(error))),
      retryable: isRetryable(error, code),
      codes: ['UserError', 'OpenAIError', code],
    },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** By the names of Prompt flow's client library, which is the one for Python. */
function className({ constructor: thrownClass, name, status }: ThrownByClient): string {
  const own = thrownClass?.name ?? name ?? 'Error';
  const shown = own === 'Object' ? (name ?? 'Error') : own;
  if (shown === 'APIConnectionTimeoutError') return 'APITimeoutError';
  return shown === 'APIError' && status !== undefined ? 'APIStatusError' : shown;
}

function textOf({ status, message = '', headers }: ThrownByClient): string {
  if (status === undefined) return message;
  const told = refusalMessage(headers);
  return told === undefined ? `Error code: ${status}` : `Error code: ${status} - ${told}`;
}

function isRetryable(error: ThrownByClient, name: string): boolean {
  const { status, type, code } = error;
  if (status === 429) return type !== 'insufficient_quota' && code !== 'insufficient_quota';
  if (status !== undefined) return status >= 500 || status === 422 || status === 408;
  return name === 'APITimeoutError' || (name === 'APIConnectionError' && wasBrokenOff(error));
}

/** Whether there was a connection; where there is none, as for a wrong address, another try will find none either. */
function wasBrokenOff(error: ThrownByClient): boolean {
  const texts: string[] = [];
  for (let current: unknown = error; typeof current === 'object' && current !== null; ) {
    const { message = '', code = '', cause } = current as ThrownByClient;
    texts.push(`${message} ${code ?? ''}`);
    current = cause;
  }
  return /ECONNRESET|EPIPE|UND_ERR_SOCKET|other side closed|socket hang up|connection aborted/i.test(texts.join(' '));
}
