import type { Connection, ModelService } from '@unroll/engine';
import { expect, test } from 'vitest';
import type { Clock } from './concurrency-limiter.ts';
import { limitServices } from './limit-services.ts';
import { permitsOfProcess } from './permits-of-process.ts';
import { RateBucket } from './rate-bucket.ts';

test.for([
  { perMinute: 600, units: [1, 1, 1], waits: [0, 0, 0] },
  { perMinute: 60, units: [1, 1, 1, 1], waits: [0, 0, 1000, 2000] },
  { perMinute: 6, units: [1, 1, 1], waits: [0, 9000, 19_000] },
  { perMinute: 6000, units: [50, 200, 1], waits: [0, 0, 1500] },
])('$perMinute a minute: $units asked for at once wait $waits ms', ({ perMinute, units, waits }) => {
  const bucket = new RateBucket(perMinute);
  expect(units.map((amount) => bucket.reserve(0, amount))).toEqual(waits);
});

test('what is not used is not saved up', () => {
  const bucket = new RateBucket(60);
  expect([bucket.reserve(600_000, 1), bucket.reserve(600_000, 1), bucket.reserve(600_000, 1)]).toEqual([0, 0, 1000]);
});

/** Time that passes only in `sleep`, to the end of the longest sleep. */
function virtualClock(): Clock & { now(): number } {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

const connection = (name: string): Connection => ({ name, type: 'open_ai', configs: {}, secrets: {} });

function serviceUsing(tokens: number): ModelService {
  const usage = { promptTokens: tokens, completionTokens: 0, totalTokens: tokens };
  return { call: async () => ({ ok: true, reply: { body: null, usage } }) };
}

const request = { messages: [{ role: 'user', content: 'x'.repeat(300) }] };

test.for([
  { limit: { requests: 60 }, calls: 61, takes: 59_000 },
  { limit: { tokens: 6000 }, calls: 61, takes: 59_000 },
  { limit: { requests: 600, tokens: 6000 }, calls: 61, takes: 59_000 },
])('$calls calls of 100 tokens under $limit take $takes ms', async ({ limit, calls, takes }) => {
  const clock = virtualClock();
  const open = limitServices(
    async () => serviceUsing(100),
    () => limit,
    permitsOfProcess(clock),
  );
  const service = await open(connection('mine'));
  const signal = new AbortController().signal;
  for (let call = 0; call < calls; call += 1) await service?.call('chat', request, { signal });
  expect(Math.abs(clock.now() - takes)).toBeLessThan(1500);
});

test('a connection without a limit is not held back; the nodes on one share its limit', async () => {
  const clock = virtualClock();
  const open = limitServices(
    async () => serviceUsing(1),
    (name) => (name === 'mine' ? { requests: 6 } : undefined),
    permitsOfProcess(clock),
  );
  const signal = new AbortController().signal;
  const [one, other, free] = await Promise.all(['mine', 'mine', 'free'].map((name) => open(connection(name))));
  for (let call = 0; call < 100; call += 1) await free?.call('chat', request, { signal });
  expect(clock.now()).toBe(0);
  await one?.call('chat', request, { signal });
  await other?.call('chat', request, { signal });
  expect(clock.now()).toBe(9000);
});

test('a call that is given up while it waits is not made', async () => {
  const clock = virtualClock();
  let calls = 0;
  const counting: ModelService = {
    call: async () => {
      calls += 1;
      return { ok: true, reply: { body: null } };
    },
  };
  const service = await limitServices(
    async () => counting,
    () => ({ requests: 1 }),
    permitsOfProcess(clock),
  )(connection('mine'));
  const stopped = AbortSignal.abort(new Error('Line execution timeout after 1 seconds.'));
  await service?.call('chat', request, { signal: new AbortController().signal });
  const result = await service?.call('chat', request, { signal: stopped });
  expect([calls, result]).toMatchObject([
    1,
    { ok: false, error: { message: 'Line execution timeout after 1 seconds.' } },
  ]);
});

test('so many calls are under way at a time; one that ends lets in who waits longest, one that is given up nobody', async () => {
  const ends: (() => void)[] = [];
  const waiting: ModelService = {
    call: () => new Promise((resolve) => ends.push(() => resolve({ ok: true, reply: { body: null } }))),
  };
  const open = limitServices(
    async () => waiting,
    () => ({ calls: 2 }),
    permitsOfProcess(virtualClock()),
  );
  const service = await open(connection('mine'));
  const givenUp = new AbortController();
  const signals = [undefined, undefined, undefined, givenUp.signal, undefined];
  const calls = signals.map((signal = new AbortController().signal) => service?.call('chat', request, { signal }));
  const settled = (): Promise<void> => new Promise(setImmediate);
  await settled();
  expect(ends).toHaveLength(2);
  givenUp.abort();
  expect(await calls[3]).toMatchObject({ ok: false, error: { code: 'Canceled' } });
  expect(ends).toHaveLength(2);
  ends[0]?.();
  await settled();
  expect(ends).toHaveLength(3);
  for (const end of ends.slice(1)) end();
  await settled();
  ends[3]?.();
  expect(await Promise.all(calls)).toHaveLength(5);
});
