import { expect, test } from 'vitest';
import { readRetryAfter, untilReset } from './read-retry-after.ts';

const now = Date.parse('2026-11-21T06:45:00Z');
const usedUp = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1.5s' };

test.for<[Readonly<Record<string, string>>, number | undefined]>([
  [{}, undefined],
  [{ 'retry-after-ms': '20', 'retry-after': '7' }, 20],
  [{ 'retry-after-ms': '', 'retry-after': '7' }, 7_000],
  [{ 'retry-after-ms': ' ' }, undefined],
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 06:45:03 GMT' }, 3_000],
  [{ 'retry-after': 'Sat, 21 Nov 2026 06:44:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '7', ...usedUp }, 7_000],
  [usedUp, 1_500],
])('a refusal with %o waits %s ms', ([headers, waits]) => {
  expect(readRetryAfter({ get: (name) => headers[name] ?? null }, now)).toBe(waits);
});

test.for([
  [undefined, undefined, undefined],
  ['12', '6m0s', undefined],
  ['0', undefined, undefined],
  ['0', 'soon', undefined],
  ['0', '20ms', 20],
  ['0', '12', 12_000],
  ['0', '1m0s', 60_000],
  ['0', '0.5s', 500],
  ['0', '2h30m', 60_000],
] as const)('%s requests left, anew in %s: %s ms', ([left, reset, waits]) => {
  const headers: Readonly<Record<string, string | undefined>> = {
    'x-ratelimit-remaining-requests': left,
    'x-ratelimit-reset-requests': reset,
  };
  expect(untilReset((name) => headers[name])).toBe(waits);
});

test('both used up: the later one counts', () => {
  const headers: Readonly<Record<string, string>> = {
    ...usedUp,
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '4s',
  };
  expect(untilReset((name) => headers[name])).toBe(4_000);
});
