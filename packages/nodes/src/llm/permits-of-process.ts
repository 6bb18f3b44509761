import { type CallLimit, type CallPermit, type CallPermits, type PermitsOf, tokensOf } from './call-permits.ts';
import { CallSlots } from './call-slots.ts';
import type { Clock } from './concurrency-limiter.ts';
import { RateBucket } from './rate-bucket.ts';

/** Turns among the calls of this process: those of a connection share its limit, whatever calls it. */
export function permitsOfProcess(clock: Clock): PermitsOf {
  const known = new Map<string, CallPermits>();
  return (connection, limit) => {
    if (limit === undefined) return undefined;
    const permits = known.get(connection) ?? new LimitedPermits(limit, clock);
    known.set(connection, permits);
    return permits;
  };
}

class LimitedPermits implements CallPermits {
  private readonly requests: RateBucket | undefined;
  private readonly tokens: RateBucket | undefined;
  private readonly slots: CallSlots | undefined;
  private readonly clock: Clock;

  constructor({ requests, tokens, calls }: CallLimit, clock: Clock) {
    this.requests = requests === undefined ? undefined : new RateBucket(requests);
    this.tokens = tokens === undefined ? undefined : new RateBucket(tokens);
    this.slots = calls === undefined ? undefined : new CallSlots(calls);
    this.clock = clock;
  }

  async take(expected: number, signal: AbortSignal): Promise<CallPermit> {
    const { requests, tokens, slots, clock } = this;
    // Before its units: they are for now, not for when a slot is free.
    const hasSlot = slots !== undefined && (await slots.take(signal));
    const now = clock.now();
    const wait = Math.max(requests?.reserve(now, 1) ?? 0, tokens?.reserve(now, expected) ?? 0);
    if (wait > 0) await clock.sleep(wait, signal);
    return {
      end(result) {
        if (hasSlot) slots.give();
        if (result !== undefined) tokens?.correct(tokensOf(result) - expected);
      },
    };
  }
}
