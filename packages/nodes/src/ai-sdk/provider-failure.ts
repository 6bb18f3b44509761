import type { ModelResult, ServiceDetails } from '@unroll/engine';
import type * as z from 'zod';
import { AnswerTooLarge } from '../http/answer-limit.ts';
import { readJson } from '../http/ask-service.ts';
import { type Cause, causeOf } from '../http/cause-of.ts';
import { hostOf, quoted, shownJson } from '../http/quoted.ts';
import { serviceDetails } from '../http/service-details.ts';
import { NoUtf8 } from '../http/utf8.ts';
import type { Asked } from '../openai/describe-failure.ts';
import { type AnswerProblem, errorInAnswer } from '../openai/read-answer.ts';
import { readRetryAfter } from '../openai/read-retry-after.ts';
import { firstIssue } from '../openai/schema-issue.ts';

/** What providers throw, as far as it is looked at: `APICallError` of the AI SDK, and its other errors by name. */
interface ThrownByProvider {
  readonly name?: string;
  readonly message?: string;
  readonly url?: string;
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly isRetryable?: boolean;
  readonly cause?: unknown;
}

type FailedResult = Extract<ModelResult, { ok: false }>;

/** A failed call as a value: what the service said, by the names that failures of services have here. */
export function providerFailure(thrown: unknown, asked: Asked): FailedResult {
  const error = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  ) as ThrownByProvider;
  const within = errorsWithin(thrown);
  const tooLarge = within.find((one) => one instanceof AnswerTooLarge);
  if (tooLarge !== undefined) return failed('AnswerTooLarge', tooLarge.message, false, serviceOf(error, asked));
  if (within.some((one) => one instanceof NoUtf8)) return unreadable(NoUtf8.told, error, asked);
  if (within.some(isTooDeep)) return unreadable('the answer cannot be used: it is nested too deep', error, asked);
  const told = toldByService(error, asked);
  if (told !== undefined) return told;
  const cause = causeOf(thrown);
  if (cause.code !== undefined) return unreached(cause, error, asked);
  if (isUnread(thrown)) {
    return unreadable(`the answer cannot be used: the provider's package says "${thrown.message}"`, error, asked);
  }
  if (error.statusCode !== undefined || unreadableNames.has(String(error.name))) {
    return unreadable(`the answer cannot be used: ${problemIn(within.at(-1))}`, error, asked);
  }
  return failed(nameOf(error), asked.scrub(error.message ?? ''), error.isRetryable === true, serviceOf(error, asked));
}

/** What the service itself says by its status, or by an error in the place of an answer. */
function toldByService(error: ThrownByProvider, asked: Asked): FailedResult | undefined {
  const { statusCode: status = 200, responseBody = '' } = error;
  if (status >= 400) return refusal(status, error, asked);
  if (status >= 300) return redirect(status, error, asked);
  const said = errorInAnswer(readJson(responseBody));
  return said === undefined ? undefined : providerProblem(said, asked);
}

const unreadableNames: ReadonlySet<string> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_EmptyResponseBodyError',
  'AI_InvalidResponseDataError',
]);

/** What a service told within a stream, in whatever form the provider hands it on. */
export function streamFailure(thrown: unknown, asked: Asked): FailedResult {
  if (thrown instanceof Error) return providerFailure(thrown, asked);
  const { type, code, message, error } = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: thrown }
  ) as Readonly<Record<string, unknown>>;
  if (typeof error === 'object' && error !== null) return streamFailure(error, asked);
  const named = [type, code].filter((one) => typeof one === 'string').map(String);
  const words = typeof message === 'string' ? message : shownJson(thrown);
  const kind = named.length === 0 ? '' : ` (${named.join(', ')})`;
  const isLasting = named.some((one) => /invalid|authentication|permission|not_found|billing/.test(one));
  const said = quoted(words, asked.scrub) ?? '';
  return failed('APIError', `the service answered with an error${kind}: ${said}`, !isLasting, serviceDetails({ said }));
}

/** An answer that is none, as a value. */
export function providerProblem({ code, message, retryable, body }: AnswerProblem, asked: Asked): FailedResult {
  return failed(code, asked.scrub(message), retryable, serviceDetails({ said: quoted(shownJson(body), asked.scrub) }));
}

/** By the names of OpenAI's client library, as everywhere here. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  409: 'ConflictError',
  422: 'UnprocessableEntityError',
  429: 'RateLimitError',
};

function refusal(status: number, error: ThrownByProvider, asked: Asked): FailedResult {
  const { responseHeaders: headers = {} } = error;
  const name = statusNames[status] ?? (status >= 500 ? 'InternalServerError' : 'APIStatusError');
  const words = refusalWords(error, asked) ?? 'the service refused without a word';
  const retryable = status === 408 || status === 422 || status === 429 || status >= 500;
  const retryAfterMs = readRetryAfter({ get: (header) => headers[header] ?? null }, Date.now());
  return {
    ...failed(name, asked.scrub(`${words} (HTTP ${status})`), retryable, serviceOf(error, asked)),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Those that the provider found; else, of an answer that is not in the form of its service, what may be meant by it. */
function refusalWords({ message, responseBody = '' }: ThrownByProvider, asked: Asked): string | undefined {
  const { message: own, error } = (readJson(responseBody) ?? {}) as Readonly<Record<string, unknown>>;
  const { message: within } = (typeof error === 'object' ? (error ?? {}) : {}) as Readonly<Record<string, unknown>>;
  const found = [message, own, error, within].find((one) => typeof one === 'string' && one !== '');
  return (found as string | undefined) ?? quoted(responseBody, asked.scrub);
}

function redirect(status: number, error: ThrownByProvider, asked: Asked): FailedResult {
  const to = error.responseHeaders?.['location'];
  const message = `the service redirects${to === undefined ? '' : ` to ${to}`}, which is not followed (HTTP ${status})`;
  return failed('APIStatusError', asked.scrub(message), false, serviceOf(error, asked));
}

function unreached(cause: Cause, error: ThrownByProvider, asked: Asked): FailedResult {
  const isTimeout = error.name === 'TimeoutError';
  const name = isTimeout ? 'APITimeoutError' : 'APIConnectionError';
  const service = { ...serviceOf(error, asked), ...(cause.code === undefined ? {} : { errno: cause.code }) };
  return failed(name, asked.scrub(cause.message), isTimeout || cause.retryable, service);
}

function unreadable(message: string, error: ThrownByProvider, asked: Asked): FailedResult {
  return failed('UnusableAnswer', asked.scrub(message), true, serviceOf(error, asked));
}

/** `AI_UnsupportedFunctionalityError` is `UnsupportedFunctionalityError`. */
function nameOf({ name = 'Error' }: ThrownByProvider): string {
  return name === 'AI_LoadAPIKeyError' ? 'AuthenticationError' : name.replace(/^AI_/, '');
}

/** Of a schema that was not met the first place; the package may have a copy of zod of its own. */
function problemIn(thrown: Error | undefined): string {
  const { issues } = (thrown ?? {}) as { readonly issues?: unknown };
  if (Array.isArray(issues)) return firstIssue(thrown as unknown as z.ZodError);
  return thrown?.message.split('\n', 1)[0] || 'it cannot be read';
}

/** What the engine says where a package looks for what an answer does not hold: an empty list of choices. */
function isUnread(thrown: unknown): thrown is TypeError {
  return thrown instanceof TypeError && /^Cannot read properties of|is not iterable/.test(thrown.message);
}

/** What the engine says where a package looks at a value level by level. */
function isTooDeep(thrown: Error): boolean {
  return thrown instanceof RangeError && thrown.message.includes('call stack');
}

function errorsWithin(thrown: unknown): readonly Error[] {
  const found: Error[] = [];
  for (let one = thrown; one instanceof Error && found.length < 20; one = one.cause) found.push(one);
  return found;
}

function serviceOf(error: ThrownByProvider, asked: Asked): ServiceDetails {
  const { url, statusCode, responseHeaders, responseBody } = error;
  const location = responseHeaders?.['location'];
  return serviceDetails({
    host: hostOf(url ?? ''),
    errno: undefined,
    status: statusCode === 200 ? undefined : statusCode,
    location: location === undefined ? undefined : quoted(location, asked.scrub),
    said: quoted(responseBody ?? '', asked.scrub),
  });
}

function failed(code: string, message: string, retryable: boolean, service: ServiceDetails): FailedResult {
  return { ok: false, error: { code, message, retryable, service } };
}
