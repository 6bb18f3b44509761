import { expect, test } from 'vitest';
import {
  type Clock,
  ConcurrencyLimiter,
  ConcurrencyLimiters,
  type Permit,
  systemClock,
} from './concurrency-limiter.ts';

/** Time that passes when `pass` says so. */
function handClock(): Clock & { readonly pass: (ms: number) => Promise<void> } {
  let now = 0;
  const sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  return {
    now: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ until: now + ms, wake })),
    async pass(ms) {
      now += ms;
      for (const { until, wake } of sleepers) if (until <= now) wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const never = new AbortController().signal;
const answered = { kind: 'answered' } as const;
const refused = (waitMs = 0) => ({ kind: 'refused', waitMs }) as const;

/** Asks for so many turns; those given so far, in order. */
function enterAll(gate: ConcurrencyLimiter, clock: Clock, count: number, signal = never): Permit[] {
  const given: Permit[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    const entered = gate.enter(clock, signal);
    if (entered instanceof Promise) void entered.then((turn) => given.push(turn));
    else given.push(entered);
  }
  return given;
}

test('nothing is held back, and nothing waits for a promise, until the service says too many', () => {
  const [gate, clock] = [new ConcurrencyLimiter(), handClock()];
  expect(enterAll(gate, clock, 500)).toHaveLength(500);
  expect(gate.pace(clock)).toBeUndefined();
});

test('a refusal halves what is under way, once for all that were; the rest goes on in order when the wait is over', async () => {
  const [gate, clock] = [new ConcurrencyLimiter(), handClock()];
  const first = enterAll(gate, clock, 20);
  for (const turn of first) gate.leave(turn, refused(100), clock);
  expect(gate.pace(clock)).toEqual({ most: 10, waitMs: 100 });
  const later = enterAll(gate, clock, 30);
  await clock.pass(99);
  expect(later).toHaveLength(0);
  await clock.pass(1);
  expect(later).toHaveLength(10);
  gate.leave(later[0] as Permit, refused(), clock);
  expect(gate.pace(clock)).toEqual({ most: 5, waitMs: 0 });
  for (const turn of later.splice(1)) gate.leave(turn, { kind: 'failed' }, clock);
  await clock.pass(0);
  expect(later).toHaveLength(1 + 5);
});

test('answers widen the gate step by step until it holds nothing back', () => {
  const [gate, clock] = [new ConcurrencyLimiter(), handClock()];
  const [turn, ...others] = enterAll(gate, clock, 40);
  gate.leave(turn as Permit, refused(), clock);
  for (const other of others) gate.leave(other, answered, clock);
  const widths: (number | undefined)[] = [];
  while (gate.pace(clock) !== undefined) {
    const most = gate.pace(clock)?.most ?? 0;
    widths.push(most);
    for (const one of enterAll(gate, clock, most)) gate.leave(one, answered, clock);
  }
  expect(widths).toEqual([20, 23, 27, 31, 34, 38]);
  expect(enterAll(gate, clock, 100)).toHaveLength(100);
});

test('one call at a time is the least', () => {
  const [gate, clock] = [new ConcurrencyLimiter(), handClock()];
  for (let times = 0; times < 5; times += 1) {
    const [turn] = enterAll(gate, clock, 1);
    gate.leave(turn as Permit, refused(), clock);
  }
  expect(gate.pace(clock)).toEqual({ most: 1, waitMs: 0 });
});

test('an answer may ask for a wait as well; it narrows nothing', async () => {
  const [gates, clock] = [new ConcurrencyLimiters(), handClock()];
  const gate = gates.of('mine');
  const [turn] = enterAll(gate, clock, 1);
  gate.leave(turn as Permit, { ...answered, waitMs: 70 }, clock);
  expect(gates.paces(clock)).toEqual([{ connection: 'mine', waitMs: 70 }]);
  const held = enterAll(gates.of('mine'), clock, 3);
  await clock.pass(70);
  expect(held).toHaveLength(3);
  expect(gates.paces(clock)).toEqual([]);
});

test('a call that is given up does not wait', async () => {
  const [gate, clock] = [new ConcurrencyLimiter(), handClock()];
  const [turn] = enterAll(gate, clock, 1);
  gate.leave(turn as Permit, refused(1000), clock);
  const controller = new AbortController();
  const held = enterAll(gate, clock, 2, controller.signal);
  controller.abort();
  await clock.pass(0);
  expect(held).toHaveLength(2);
});

test.each([1, 2, 3, 4, 5, 6])('a wait that ends while it is looked at ends, %i ms long', async (waitMs) => {
  let time = 0;
  const clock = { now: () => time++, sleep: async () => undefined };
  const gate = new ConcurrencyLimiter();
  gate.leave(await gate.enter(clock, never), { kind: 'refused', waitMs }, clock);
  const entered = Promise.resolve(gate.enter(clock, never)).then(() => 'entered');
  const later = new Promise((resolve) => setImmediate(resolve, 'still waiting'));
  expect(await Promise.race([entered, later])).toBe('entered');
});

test('a timer that is longer than Node knows does not end at once', async () => {
  const controller = new AbortController();
  let isOver = false;
  const sleep = systemClock.sleep(999_999_999_000, controller.signal).then(() => {
    isOver = true;
  });
  await systemClock.sleep(20, new AbortController().signal);
  expect(isOver).toBe(false);
  controller.abort();
  await sleep;
});

/** Refusals of the unluckiest of 300 calls, 50 at a time, at a service that takes `most` and answers the newest first. */
async function mostRefusals(most: number): Promise<number> {
  const [gate, clock] = [new ConcurrencyLimiter(), handClock()];
  const underWay: { readonly turn: Permit; readonly end: () => void }[] = [];
  let left = 300;
  let worst = 0;
  const callAgain = async (tries: number): Promise<void> => {
    const turn = await gate.enter(clock, never, tries);
    if (underWay.length >= most) {
      worst = Math.max(worst, tries + 1);
      gate.leave(turn, refused(3), clock);
      return callAgain(tries + 1);
    }
    await new Promise<void>((end) => underWay.push({ turn, end }));
    gate.leave(turn, answered, clock);
    left -= 1;
    if (left >= 50) await callAgain(0);
  };
  for (let started = 0; started < 50; started += 1) void callAgain(0);
  for (let steps = 0; left > 0 && steps < 3000; steps += 1) {
    underWay.pop()?.end();
    await clock.pass(1);
  }
  expect(left).toBe(0);
  return worst;
}

test.each([1, 2, 3, 7])(
  'at a service that takes %i calls at a time no call is refused again and again',
  async (most) => {
    expect(await mostRefusals(most)).toBeLessThanOrEqual(7);
  },
);
