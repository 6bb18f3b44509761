import type { ModelResult } from '@unroll/engine';

type ModelFailure = Extract<ModelResult, { ok: false }>;

/** What the HTTP status says of the service or of the key, not of the request: 402 and 429 of a quota, 404 of a model. */
const statuses = [401, 402, 403, 404, 408, 429];

/** The same by the names of Prompt flow's client library, for failures without a status, as those of scripts. */
const codes = [
  'APIConnectionError',
  'APITimeoutError',
  'AnswerTooLarge',
  'AuthenticationError',
  'InternalServerError',
  'NotFoundError',
  'PermissionDeniedError',
  'RateLimitError',
];

/**
 * Whether another connection may answer what this one could not: the failure is the service's, or the way's to it. What is wrong
 * with the request itself, and what a content filter refused, fails everywhere.
 */
export function passesOn({ error, isPassedOn }: ModelFailure): boolean {
  const { code, retryable, service = {} } = error;
  if (isPassedOn === true || retryable) return true;
  const { status, errno } = service;
  if (status !== undefined) return status >= 500 || isRedirect(status) || statuses.includes(status);
  return errno !== undefined || codes.includes(code);
}

/** A page to log in at, more often than not. */
function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}
