import type { ModelResult, ServiceDetails } from '@unroll/engine';
import { causeOf } from '../http/cause-of.ts';
import { SizeLimitError } from '../http/limited-body.ts';
import { quoted, shownJson } from '../http/quoted.ts';
import { toldDetails } from '../http/told-details.ts';
import type { Asked } from '../openai/describe-failure.ts';
import type { AnswerProblem } from '../openai/read-answer.ts';

/** What the AWS SDK throws, as far as it is looked at. */
interface ThrownBySdk {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> };
  readonly $responseBodyText?: string;
}

/** A failed call as a value. Errors of the API go by their names (`ThrottlingException`, `ValidationException` …). */
export function converseFailure(thrown: unknown, asked: Asked): ModelResult {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }) as ThrownBySdk;
  const { name = 'Error', message = '' } = error;
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode;
  const cause = status === undefined ? causeOf(thrown) : undefined;
  const service = serviceOf(error, status, cause?.code, asked);
  if (thrown instanceof SizeLimitError) {
    return failed('AnswerTooLarge', `${message} (max_response_bytes)`, false, service);
  }
  if (cause !== undefined) {
    return failed(name, asked.scrub(cause.message), name === 'TimeoutError' || cause.retryable, service);
  }
  if (status === 200) return failed('UnusableAnswer', 'the answer cannot be read', true, service);
  const retryable = status === 429 || (status ?? 0) >= 500;
  return failed(name, asked.scrub(`${message} (HTTP ${status})`), retryable, service);
}

function serviceOf(
  { $response: response, $responseBodyText: body }: ThrownBySdk,
  status: number | undefined,
  errno: string | undefined,
  { host, scrub }: Asked,
): ServiceDetails {
  const location = response?.headers?.['location'];
  return toldDetails({
    ...{ host, status, errno },
    location: location === undefined ? undefined : quoted(location, scrub),
    said: body === undefined ? undefined : quoted(body, scrub),
  });
}

/** An answer that is none, as a value. */
export function unusableAnswer({ code, message, retryable, body }: AnswerProblem, { host, scrub }: Asked): ModelResult {
  const said = quoted(shownJson(withoutMetadata(body)), scrub);
  return failed(code, message, retryable, toldDetails({ host, said }));
}

/** What the SDK adds of its own. */
function withoutMetadata(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { $metadata: _, ...rest } = body as Readonly<Record<string, unknown>>;
  return rest;
}

function failed(code: string, message: string, retryable: boolean, service: ServiceDetails): ModelResult {
  return { ok: false, error: { code, message, retryable, service } };
}
