import { type Connection, type NodeError, type Redactor, redactorOf, type ServiceDetails } from '@unroll/engine';
import { readJson } from '../http/ask-service.ts';
import { type Cause, causeOf } from '../http/cause-of.ts';
import { hostOf, quoted } from '../http/quoted.ts';
import { serviceDetails } from '../http/service-details.ts';
import { readRetryAfter } from '../openai/read-retry-after.ts';

/** What the client library throws, as far as it is looked at. */
interface ThrownByClient {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly details?: { readonly error?: ServiceError | null } | null;
  readonly response?: {
    readonly headers?: { get(name: string): string | undefined };
    readonly bodyAsText?: string | null;
  };
}

interface ServiceError {
  readonly message?: unknown;
}

export interface AzureFailure {
  readonly ok: false;
  readonly error: NodeError;
  readonly retryAfterMs?: number;
}

/** Throttled (429, or 503 where the service is overloaded), not ready (5xx), or the connection broke off. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Of whom what was asked, and what takes secrets out of the answer. */
export interface AskedIndex {
  readonly index: string;
  readonly host: string | undefined;
  readonly redactor: Redactor;
}

export function askedIndex(connection: Connection, index: string): AskedIndex {
  return { index, host: hostOf(connection.configs['api_base'] ?? ''), redactor: redactorOf(connection) };
}

/** A failed request as a value. Keys are in nothing of it. */
export function azureFailure(thrown: unknown, asked: AskedIndex): AzureFailure {
  const error = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  ) as ThrownByClient;
  if (error.name === 'AbortError') return stopped(asked);
  const { statusCode, response } = error;
  const cause = statusCode === undefined || statusCode === 200 ? causeOf(thrown) : undefined;
  const retryAfterMs =
    response?.headers === undefined
      ? undefined
      : readRetryAfter({ get: (name) => response.headers?.get(name) ?? null }, Date.now());
  return {
    ok: false,
    error: {
      code: codeOf(statusCode, cause),
      message: messageOf(error, cause, asked),
      retryable: cause === undefined ? passing.has(statusCode ?? 0) : cause.retryable || isUnusable(cause),
      service: serviceOf(error, cause, asked),
    },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function stopped({ host }: AskedIndex): AzureFailure {
  const message = 'the request to Azure AI Search was stopped';
  return { ok: false, error: { code: 'CANCELED', message, retryable: false, service: serviceDetails({ host }) } };
}

function serviceOf(
  { statusCode: status, response }: ThrownByClient,
  cause: Cause | undefined,
  { host, redactor }: AskedIndex,
): ServiceDetails {
  const redact = (text: string): string => redactor.message(text);
  const location =
    status !== undefined && status >= 300 && status < 400 ? response?.headers?.get('location') : undefined;
  return serviceDetails({
    ...{ host, status, errno: cause?.code },
    said: quoted(response?.bodyAsText ?? '', redact),
    location: location === undefined ? undefined : quoted(location, redact),
  });
}

/** What the client cannot read it throws without a code, or as what cannot be parsed. */
function isUnusable({ code }: Cause): boolean {
  return code === undefined || code === 'PARSE_ERROR' || code === 'NO_UTF8';
}

function codeOf(status: number | undefined, cause: Cause | undefined): string {
  if (cause !== undefined) {
    if (cause.code === 'ANSWER_TOO_LARGE') return 'AnswerTooLarge';
    return isUnusable(cause) ? 'UnusableAnswer' : 'SearchServiceError';
  }
  if (status === 429 || status === 503) return 'RateLimitError';
  if (status === 401 || status === 403) return 'AuthenticationError';
  if (status === 404) return 'IndexNotFound';
  return 'SearchServiceError';
}

function messageOf(error: ThrownByClient, cause: Cause | undefined, { index, redactor }: AskedIndex): string {
  const { statusCode = 0 } = error;
  const said = redactor
    .message(cause?.message ?? saidIn(error) ?? error.message ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 600);
  if (cause?.code === 'ANSWER_TOO_LARGE') return said;
  if (cause?.code === 'NO_UTF8') return `Azure AI Search: ${said}`;
  if (cause !== undefined && isUnusable(cause)) return 'Azure AI Search answered what is no list of hits';
  if (cause !== undefined) return `Azure AI Search cannot be reached: ${said}`;
  const hint = hints[statusCode];
  return `Azure AI Search answered ${statusCode} for the index "${index}"${said === '' ? '' : `: ${said}`}${hint === undefined ? '' : ` (${hint})`}`;
}

const hints: Readonly<Record<number, string>> = {
  401: 'is the key right, or the identity signed in?',
  403: 'the key may only query, or the identity lacks the role Search Index Data Reader or Contributor',
  404: 'is the name of the index right? flow index build --azure makes one',
};

function saidIn({ details, response }: ThrownByClient): string | undefined {
  const body = readJson(response?.bodyAsText ?? '') as ThrownByClient['details'];
  return [details?.error?.message, body?.error?.message].find((said) => typeof said === 'string');
}
