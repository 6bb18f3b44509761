import { CallSlots } from './call-slots.ts';
import { type CallLimit, type CallTurn, type CallTurns, type TurnsOf, tokensOf } from './call-turns.ts';
import type { Clock } from './concurrency-limiter.ts';
import { RateBucket } from './rate-bucket.ts';

/** Turns among the calls of this process: those of a connection share its limit, whatever calls it. */
export function turnsOfProcess(clock: Clock): TurnsOf {
  const known = new Map<string, CallTurns>();
  return (connection, limit) => {
    if (limit === undefined) return undefined;
    const turns = known.get(connection) ?? new LimitedTurns(limit, clock);
    known.set(connection, turns);
    return turns;
  };
}

class LimitedTurns implements CallTurns {
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

  async take(expected: number, signal: AbortSignal): Promise<CallTurn> {
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
