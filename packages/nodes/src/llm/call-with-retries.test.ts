import type { ModelResult, ModelService, NodeError } from '@unroll/engine';
import { expect, test } from 'vitest';
import { callWithRetries } from './call-with-retries.ts';
import { type Clock, ModelGate } from './model-gate.ts';

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
    provider: 'openai',
    count: () => at,
    call: async () => results[Math.min(at++, results.length - 1)] as ModelResult,
  };
}

const rule = { times: 10, firstWaitSeconds: 1 };

async function callOn(service: ModelService, gate = new ModelGate(), clock = virtualClock(), times = rule.times) {
  const signal = new AbortController().signal;
  return callWithRetries(service, 'chat', {}, { signal }, { rule: { ...rule, times }, gate, clock });
}

test('failures that may pass are tried again, with waits that double', async () => {
  const clock = virtualClock();
  const down = failure('InternalServerError');
  const { result, attempts } = await callOn(serviceOf(down, down, down, success), new ModelGate(), clock);
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

test('a failure that will not pass is not tried again', async () => {
  const service = serviceOf(failure('BadRequestError', false), success);
  const { result, attempts } = await callOn(service);
  expect(result).toMatchObject({ ok: false, error: { code: 'BadRequestError', message: 'BadRequestError' } });
  expect(attempts).toHaveLength(1);
});

test('Retry-After is honoured, and holds back every call on the connection', async () => {
  const clock = virtualClock();
  const gate = new ModelGate();
  const first = await callOn(serviceOf(failure('RateLimitError', true, 12_000), success), gate, clock);
  expect(first.attempts.map(({ waitedMs }) => waitedMs)).toEqual([0, 12_000]);
  await callOn(serviceOf({ ...success, retryAfterMs: 5_000 }), gate, clock);
  const second = await callOn(serviceOf(success), gate, clock);
  expect(second.attempts.map(({ waitedMs }) => waitedMs)).toEqual([5_000]);
});

test('tries end, and say that they ended', async () => {
  const service = serviceOf(failure('InternalServerError'));
  const { result } = await callOn(service, new ModelGate(), virtualClock(), 2);
  expect(service.count()).toBe(3);
  expect(result).toMatchObject({ error: { message: 'Exceed max retry times. InternalServerError' } });
});

test('a request that cannot be processed is tried three times in a row at most', async () => {
  const service = serviceOf(failure('UnprocessableEntityError'));
  await callOn(service);
  expect(service.count()).toBe(3);
});
