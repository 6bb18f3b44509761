import { expect, test } from 'vitest';
import { describeFailure } from './describe-failure.ts';

test.for([
  { status: 400, isTried: false },
  { status: 401, isTried: false },
  { status: 408, isTried: true },
  { status: 409, isTried: false },
  { status: 422, isTried: true },
  { status: 429, isTried: true },
  { status: 429, type: 'insufficient_quota', isTried: false },
  { status: 500, isTried: true },
  { status: 503, isTried: true },
])('$status $type is tried again: $isTried', ({ isTried, ...thrown }) => {
  const described = describeFailure({ name: 'APIError', message: 'no', ...thrown }, { scrub: (text) => text });
  expect(described).toMatchObject({ ok: false, error: { retryable: isTried } });
});
