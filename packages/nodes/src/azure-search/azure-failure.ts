import type { NodeError, Redactor } from '@unroll/engine';
import { readRetryAfter } from '../openai/read-retry-after.ts';

/** What the client library throws, as far as it is looked at. */
interface ThrownByClient {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly statusCode?: number;
  readonly details?: { readonly error?: ServiceError };
  readonly response?: {
    readonly headers?: { get(name: string): string | undefined };
    readonly bodyAsText?: string | null;
  };
}

interface ServiceError {
  readonly code?: string;
  readonly message?: string;
}

export interface AzureFailure {
  readonly ok: false;
  readonly error: NodeError;
  readonly retryAfterMs?: number;
}

/** Throttled (429, or 503 where the service is overloaded), not ready (5xx), or the connection broke off. */
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const brokenOff = /ECONNRESET|EPIPE|ETIMEDOUT|socket hang up|ECONNREFUSED/;

/** A failed request as a value. Keys are in nothing of it. */
export function azureFailure(thrown: unknown, redactor: Redactor, index: string): AzureFailure {
  const error = (
    typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }
  ) as ThrownByClient;
  const { statusCode, response } = error;
  const retryAfterMs =
    response?.headers === undefined
      ? undefined
      : readRetryAfter({ get: (name) => response.headers?.get(name) ?? null }, Date.now());
  const isBroken = statusCode === undefined && brokenOff.test(`${error.code ?? ''} ${error.message ?? ''}`);
  return {
    ok: false,
    error: {
      code: codeOf(statusCode),
      message: messageOf(error, index, redactor),
      retryable: isBroken || (statusCode !== undefined && passing.has(statusCode)),
    },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function codeOf(status: number | undefined): string {
  if (status === 429 || status === 503) return 'RateLimitError';
  if (status === 401 || status === 403) return 'AuthenticationError';
  if (status === 404) return 'IndexNotFound';
  return 'SearchServiceError';
}

function messageOf(error: ThrownByClient, index: string, redactor: Redactor): string {
  const { statusCode } = error;
  const said = redactor
    .message(saidIn(error) ?? error.message ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 600);
  if (statusCode === undefined) return `Azure AI Search cannot be reached: ${said}`;
  const hint = hints[statusCode];
  return `Azure AI Search answered ${statusCode} for the index "${index}"${said === '' ? '' : `: ${said}`}${hint === undefined ? '' : ` (${hint})`}`;
}

const hints: Readonly<Record<number, string>> = {
  401: 'is the key right, or the identity signed in?',
  403: 'the key may only query, or the identity lacks the role Search Index Data Reader or Contributor',
  404: 'is the name of the index right? flow index build --azure makes one',
};

function saidIn({ details, response }: ThrownByClient): string | undefined {
  const told = details?.error?.message;
  if (told !== undefined) return told;
  try {
    return (JSON.parse(response?.bodyAsText ?? '') as { error?: ServiceError }).error?.message;
  } catch {
    return undefined;
  }
}
