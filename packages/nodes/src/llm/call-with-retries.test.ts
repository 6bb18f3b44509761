import type { ModelResult, ModelService, NodeError } from '@unroll/engine';
import { expect, test } from 'vitest';
import { callWithRetries, defaultRetryRule } from './call-with-retries.ts';
import { type Clock, ConcurrencyLimiter } from './concurrency-limiter.ts';

/** Time that passes only in `sleep`. */
function virtualClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

function failure(code: string, retryable = true, retryAfterMs?: number): ModelResult {
  const error: NodeError = { code, message: code, retryable };
  return { ok: false, error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

const success: ModelResult = { ok: true, reply: { body: { role: 'assistant', content: 'yes' } } };

function serviceOf(...results: readonly ModelResult[]): ModelService & { readonly count: () => number } {
  let at = 0;
  return {
    count: () => at,
    call: async () => results[Math.min(at++, results.length - 1)] as ModelResult,
  };
}

const rule = { times: 10, firstWaitSeconds: 1 };

async function callOn(
  service: ModelService,
  gate = new ConcurrencyLimiter(),
  clock = virtualClock(),
  times = rule.times,
) {
  const signal = new AbortController().signal;
  return callWithRetries(service, 'chat', {}, { signal }, { rule: { ...rule, times }, gate, clock });
}

test('failures that may pass are tried again, with waits that double', async () => {
  const clock = virtualClock();
  const down = failure('InternalServerError');
  const { result, attempts } = await callOn(serviceOf(down, down, down, success), new ConcurrencyLimiter(), clock);
  expect(result).toBe(success);
  expect(attempts.map(({ error }) => error?.code)).toEqual([
    'InternalServerError',
    'InternalServerError',
    'InternalServerError',
    undefined,
  ]);
  expect(attempts.map(({ waitedMs }) => waitedMs)).toEqual([0, 1_000, 2_000, 4_000]);
  expect(clock.now()).toBe(7_000);
});

test('each call that failed and is made again is told, and how long until then', async () => {
  const told: unknown[] = [];
  const asked = { rule: { times: 2, firstWaitSeconds: 1 }, gate: new ConcurrencyLimiter(), clock: virtualClock() };
  const onCallFailed = ({ code }: NodeError, waitMs: number): void => void told.push([code, waitMs]);
  const service = serviceOf(
    failure('InternalServerError'),
    failure('APIConnectionError', true, 5_000),
    failure('Last'),
  );
  await callWithRetries(service, 'chat', {}, { signal: new AbortController().signal }, { ...asked, onCallFailed });
  expect(told).toEqual([
    ['InternalServerError', 1_000],
    ['APIConnectionError', 5_000],
  ]);
});

test('waits double up to a minute, and no further', async () => {
  const { attempts } = await callOn(serviceOf(failure('InternalServerError')));
  const seconds = attempts.map(({ waitedMs }) => waitedMs / 1000);
  expect(seconds).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
});

test('a failure that will not pass is not tried again', async () => {
  const service = serviceOf(failure('BadRequestError', false), success);
  const { result, attempts } = await callOn(service);
  expect(result).toMatchObject({ ok: false, error: { code: 'BadRequestError', message: 'BadRequestError' } });
  expect(attempts).toHaveLength(1);
});

test('Retry-After is honoured, and holds back every call on the connection', async () => {
  const clock = virtualClock();
  const gate = new ConcurrencyLimiter();
  const first = await callOn(serviceOf(failure('RateLimitError', true, 12_000), success), gate, clock);
  expect(first.attempts.map(({ waitedMs }) => waitedMs)).toEqual([0, 12_000]);
  await callOn(serviceOf({ ...success, retryAfterMs: 5_000 }), gate, clock);
  const second = await callOn(serviceOf(success), gate, clock);
  expect(second.attempts.map(({ waitedMs }) => waitedMs)).toEqual([5_000]);
});

test('tries end, and say that they ended', async () => {
  const service = serviceOf(failure('InternalServerError'));
  const { result } = await callOn(service, new ConcurrencyLimiter(), virtualClock(), 2);
  expect(service.count()).toBe(3);
  expect(result).toMatchObject({ error: { message: 'Exceed max retry times. InternalServerError' } });
});

test.for([
  { code: 'UnprocessableEntityError', calls: 3, seconds: [0, 1, 2] },
  { code: 'UnusableAnswer', calls: 5, seconds: [0, 1, 2, 4, 8] },
])('$code comes $calls times in a row at most', async ({ code, calls, seconds }) => {
  const { result, attempts } = await callOn(serviceOf(failure(code)));
  expect(attempts.map(({ waitedMs }) => waitedMs / 1000)).toEqual(seconds);
  expect(result).toMatchObject({ error: { message: `Exceed max retry times. ${code}` } });
  const others = Array.from({ length: calls - 1 }, () => failure(code));
  const between = serviceOf(...others, failure('InternalServerError'), ...others, success);
  expect((await callOn(between)).result).toBe(success);
});

test.for([
  { times: 0, calls: 1 },
  { times: 1, calls: 2 },
  { times: 10, calls: 11 },
])('the cap: $times further tries are $calls calls, no more and no fewer', async ({ times, calls }) => {
  const service = serviceOf(failure('InternalServerError'));
  const { attempts } = await callOn(service, new ConcurrencyLimiter(), virtualClock(), times);
  expect([service.count(), attempts.length]).toEqual([calls, calls]);
});

function unreached(): ModelResult {
  const error = { code: 'APIConnectionError', message: 'no', retryable: true, service: { errno: 'ECONNREFUSED' } };
  return { ok: false, error };
}

test('where nobody listens, four calls in a row are enough, unless the node says how many', async () => {
  const down = serviceOf(unreached());
  const signal = new AbortController().signal;
  const shared = { gate: new ConcurrencyLimiter(), clock: virtualClock() };
  await callWithRetries(down, 'chat', {}, { signal }, { rule: defaultRetryRule, ...shared });
  expect(down.count()).toBe(4);
  const starting = serviceOf(unreached(), unreached(), failure('InternalServerError'), unreached(), success);
  const { result } = await callWithRetries(starting, 'chat', {}, { signal }, { rule: defaultRetryRule, ...shared });
  expect(result).toBe(success);
  const patient = serviceOf(unreached());
  await callOn(patient, new ConcurrencyLimiter(), virtualClock(), 6);
  expect(patient.count()).toBe(7);
});

test.for([
  { retryAfterMs: 600_000, calls: 2 },
  { retryAfterMs: 600_001, calls: 1 },
  { retryAfterMs: 999_999_999_000, calls: 1 },
])('a wait of $retryAfterMs ms that the service asks for: $calls calls', async ({ retryAfterMs, calls }) => {
  const clock = virtualClock();
  const service = serviceOf(failure('RateLimitError', true, retryAfterMs), success);
  const { result } = await callOn(service, new ConcurrencyLimiter(), clock);
  expect(service.count()).toBe(calls);
  if (calls > 1) return;
  const asked = Math.round(retryAfterMs / 1000);
  const message = `RateLimitError The service asks to wait ${asked} s; at most 600 s are waited.`;
  expect(result).toMatchObject({ ok: false, error: { message, retryable: true } });
  // The calls behind it do not wait either.
  await callOn(serviceOf(success), new ConcurrencyLimiter(), clock);
  expect(clock.now()).toBeLessThan(60_001);
});

test('a stream is asked for again unless some of it was handed on, or that can be taken back', async () => {
  const signal = new AbortController().signal;
  const cut = failure('UnusableAnswer');
  const streaming = (piece: string) => {
    let calls = 0;
    const service: ModelService = {
      call: async (_api, _request, { onText }) => {
        onText?.(piece);
        calls += 1;
        return calls === 1 ? cut : success;
      },
    };
    return service;
  };
  const shared = { rule, gate: new ConcurrencyLimiter(), clock: virtualClock() };
  const pieces: string[] = [];
  const call = { signal, onText: (text: string) => pieces.push(text) };
  expect((await callWithRetries(streaming(''), 'chat', {}, call, shared)).result).toBe(success);
  expect(await callWithRetries(streaming('Half'), 'chat', {}, call, shared)).toMatchObject({
    attempts: [{}],
    result: { error: { message: 'UnusableAnswer Some of the answer was handed on, so it is not asked for again.' } },
  });
  const takeBack = (): number => pieces.splice(0).length;
  expect((await callWithRetries(streaming('Half'), 'chat', {}, call, { ...shared, takeBack })).result).toBe(success);
  expect(pieces).toEqual(['Half']);
});
