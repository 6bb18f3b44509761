import type { ModelResult, ServiceDetails } from '@unroll/engine';
import { readJson } from '../http/ask-service.ts';
import { causeOf } from '../http/cause-of.ts';
import { SizeLimitError } from '../http/limited-body.ts';
import { errorBodyText } from '../http/limited-handler.ts';
import { quoted, shownJson } from '../http/quoted.ts';
import { serviceDetails } from '../http/service-details.ts';
import { NoUtf8 } from '../http/utf8.ts';
import type { Asked } from '../openai/describe-failure.ts';
import type { AnswerProblem } from '../openai/read-answer.ts';
import { readRetryAfter } from '../openai/read-retry-after.ts';

/** What the AWS SDK throws, as far as it is looked at. */
interface ThrownBySdk {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> };
}

/** A failed call as a value. Errors of the API go by their names (`ThrottlingException`, `ValidationException` …). */
export async function converseFailure(thrown: unknown, asked: Asked): Promise<ModelResult> {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }) as ThrownBySdk;
  const { name = 'Error' } = error;
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode;
  const cause = status === undefined ? causeOf(thrown) : undefined;
  const body = status === undefined ? '' : await errorBodyText(error.$response);
  const service = serviceOf(error, { status, errno: cause?.code, body }, asked);
  if (thrown instanceof SizeLimitError) {
    return failed('AnswerTooLarge', `${thrown.told} (max_response_bytes)`, false, service);
  }
  if (thrown instanceof NoUtf8) return failed('UnusableAnswer', NoUtf8.told, true, service);
  if (cause !== undefined) {
    return failed(name, asked.scrub(cause.message), name === 'TimeoutError' || cause.retryable, service);
  }
  if (status === 200) return failed('UnusableAnswer', 'the answer cannot be read', true, service);
  return failureOf(error, status, body, service, asked);
}

function failureOf(
  { name = 'Error', message = '', $response: response }: ThrownBySdk,
  status: number | undefined,
  body: string,
  service: ServiceDetails,
  { scrub }: Asked,
): ModelResult {
  const retryable = status === 408 || status === 429 || (status ?? 0) >= 500;
  const isNamed = namePattern.test(name);
  const words = isNamed ? message : (messageIn(body) ?? 'the service refused without an error of its API');
  const retryAfterMs = readRetryAfter({ get: (header) => response?.headers?.[header] ?? null }, Date.now());
  return {
    ...failed(isNamed ? name : 'APIStatusError', scrub(`${words} (HTTP ${status})`), retryable, service),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Of errors of the API; the SDK makes others where it cannot read what came. */
const namePattern = /Exception$/;

function messageIn(body: string): string | undefined {
  const { message, Message } = (readJson(body) ?? {}) as Readonly<Record<string, unknown>>;
  return [message, Message].find((one) => typeof one === 'string');
}

/** What came in the place of an answer. */
interface Came {
  readonly status: number | undefined;
  readonly errno: string | undefined;
  readonly body: string;
}

function serviceOf(
  { $response: response }: ThrownBySdk,
  { status, errno, body }: Came,
  { host, scrub }: Asked,
): ServiceDetails {
  const location = response?.headers?.['location'];
  return serviceDetails({
    host,
    status,
    errno,
    location: location === undefined ? undefined : quoted(location, scrub),
    said: quoted(body, scrub),
  });
}

/** An answer that is none, as a value. */
export function unusableAnswer({ code, message, retryable, body }: AnswerProblem, { host, scrub }: Asked): ModelResult {
  const said = quoted(shownJson(withoutMetadata(body)), scrub);
  return failed(code, message, retryable, serviceDetails({ host, said }));
}

/** What the SDK adds of its own. */
function withoutMetadata(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { $metadata: _, ...rest } = body as Readonly<Record<string, unknown>>;
  return rest;
}

type FailedModelResult = Extract<ModelResult, { ok: false }>;

function failed(code: string, message: string, retryable: boolean, service: ServiceDetails): FailedModelResult {
  return { ok: false, error: { code, message, retryable, service } };
}
