import type { ModelResult, ServiceDetails } from '@unroll/engine';
import { readJson } from '../http/ask-service.ts';
import { type Cause, causeOf } from '../http/cause-of.ts';
import { quoted, shownJson } from '../http/quoted.ts';
import { serviceDetails } from '../http/service-details.ts';
import { errorBodyMessage, errorBodyOf } from './error-bodies.ts';
import { wording } from './error-wording.ts';
import { type AnswerProblem, errorInAnswer } from './read-answer.ts';
import { readRetryAfter } from './read-retry-after.ts';
import { unusableBodyOf } from './unusable-body.ts';

/** What the client library throws, as far as it is looked at. */
interface ThrownByClient {
  readonly name?: string;
  readonly message?: string;
  readonly status?: number;
  readonly code?: string | null;
  readonly type?: string | null;
  readonly headers?: { get(name: string): string | null };
  readonly error?: unknown;
  readonly cause?: unknown;
  readonly constructor?: { readonly name?: string };
}

/** Who was asked, and how secrets are taken out of what it said. */
export interface Asked {
  readonly host?: string | undefined;
  readonly scrub: (text: string) => string;
}

/** A failed call as a value, worded as Prompt flow's `WrappedOpenAIError`; what else is known of it stands in `service`. */
export function describeFailure(thrown: unknown, asked: Asked): ModelResult {
  const error = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  ) as ThrownByClient;
  const unusable = unusableIn(error, thrown);
  if (unusable !== undefined) return describeProblem(unusable, asked);
  const cause = error.status === undefined ? causeOf(thrown) : undefined;
  const code = className(error, cause);
  const retryAfterMs = error.headers === undefined ? undefined : readRetryAfter(error.headers, Date.now());
  return failure(code, asked.scrub(failureText(error, code, cause)), {
    retryable: isRetryable(error, code, cause),
    service: detailsOf(error, cause, asked),
    retryAfterMs,
  });
}

/** An answer that is none, as a value. */
export function describeProblem(
  { code, message, retryable, body }: AnswerProblem,
  { host, scrub }: Asked,
): ModelResult {
  const said = quoted(typeof body === 'string' ? body : shownJson(body), scrub);
  return failure(code, quoted(message, scrub) ?? '', { retryable, service: serviceDetails({ host, said }) });
}

interface Circumstances {
  readonly retryable: boolean;
  readonly service: ServiceDetails;
  readonly retryAfterMs?: number | undefined;
}

function failure(code: string, text: string, { retryable, service, retryAfterMs }: Circumstances): ModelResult {
  const isKnown = Object.keys(service).length > 0;
  return {
    ok: false,
    error: {
      code,
      message: wording(code, text),
      retryable,
      ...(isKnown ? { service } : {}),
    },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** What came in the place of an answer, or in the middle of a stream. */
function unusableIn(error: ThrownByClient, thrown: unknown): AnswerProblem | undefined {
  const { cause, status } = error;
  const unread = unusableBodyOf(thrown);
  if (unread !== undefined) {
    const { message, body } = unread;
    return errorInAnswer(readJson(body)) ?? { code: 'UnusableAnswer', message, retryable: true, body };
  }
  if (thrown instanceof SyntaxError) {
    return { code: 'UnusableAnswer', message: 'a part of the stream is no JSON', retryable: true, body: '' };
  }
  const isEvent = status === undefined && error.error !== undefined && cause === undefined;
  return isEvent ? errorInAnswer({ error: error.error }) : undefined;
}

/** By the names of Prompt flow's client library, which is the one for Python. */
function className({ constructor: thrownClass, name, status }: ThrownByClient, cause: Cause | undefined): string {
  if (cause?.code === 'ANSWER_TOO_LARGE') return 'AnswerTooLarge';
  const own = thrownClass?.name ?? name ?? 'Error';
  const shown = own === 'Object' ? (name ?? 'Error') : own;
  if (shown === 'APIConnectionTimeoutError') return 'APITimeoutError';
  if (shown === 'APIError' && status !== undefined) return 'APIStatusError';
  return cause?.code === undefined || shown.startsWith('API') ? shown : 'APIConnectionError';
}

function failureText(
  { status, message = '', headers }: ThrownByClient,
  code: string,
  cause: Cause | undefined,
): string {
  if (status !== undefined) {
    const shown = errorBodyMessage(headers);
    return shown === undefined ? `Error code: ${status}` : `Error code: ${status} - ${shown}`;
  }
  if (code === 'AnswerTooLarge') return cause?.message ?? message;
  const isClear = cause?.code === undefined || message.includes(cause.message);
  return isClear ? message : `${message} (${cause.message})`;
}

function detailsOf(
  { status, headers }: ThrownByClient,
  cause: Cause | undefined,
  { host, scrub }: Asked,
): ServiceDetails {
  const { text, location } = errorBodyOf(headers) ?? {};
  const said = quoted(errorBodyMessage(headers) ?? text ?? '', scrub);
  const to = location === undefined ? undefined : quoted(location, scrub);
  return serviceDetails({ host, status, errno: cause?.code, location: to, said });
}

function isRetryable({ status, type, code }: ThrownByClient, name: string, cause: Cause | undefined): boolean {
  if (status === 429) return type !== 'insufficient_quota' && code !== 'insufficient_quota';
  if (status !== undefined) return status >= 500 || status === 422 || status === 408;
  return name === 'APITimeoutError' || cause?.retryable === true;
}
