import {
  askedPauseMs,
  type CallLimit,
  type CallPermit,
  type CallPermits,
  type Clock,
  type PermitsOf,
  systemClock,
  tokensOf,
} from '@unroll/nodes';
import type { Database } from '../database/database.ts';
import { isDisconnection } from '../database/database-failure.ts';
import { storedText } from '../database/stored-text.ts';
import type { LimitsContext } from './limits-context.ts';
import { SharedPause } from './shared-pause.ts';
import { SharedRate } from './shared-rate.ts';
import { SharedSlots } from './shared-slots.ts';

/** A service that refuses and names no time is left alone for so long. */
const usualPauseMs = 1000;

/** What clocks and ways differ by: a permit is not taken again for so little. */
const shortPauseMs = 250;

/** Permits to call a connection, among all workers of a database. */
export interface SharedLimits extends AsyncDisposable {
  readonly permitsOf: PermitsOf;
}

/** The limits of connections, kept to by all who open them on the same database; connections are the same where their names are. */
export function openSharedLimits(database: Database, clock: Clock = systemClock): SharedLimits {
  const ending = new AbortController();
  const context: LimitsContext = { database, clock, ended: ending.signal };
  const known = new Map<string, SharedPermits>();
  return {
    permitsOf(connection, limit = {}) {
      const key = JSON.stringify([connection, limit.requests, limit.tokens, limit.calls]);
      const permits = known.get(key) ?? new SharedPermits(connection, limit, context);
      known.set(key, permits);
      return permits;
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all([...known.values()].map((permits) => permits.end()));
    },
  };
}

/** The permits of one connection, as one limit asks for them. */
class SharedPermits implements CallPermits {
  private readonly pause: SharedPause;
  private readonly rate: SharedRate | undefined;
  private readonly slots: SharedSlots | undefined;
  private readonly context: LimitsContext;

  constructor(named: string, limit: CallLimit, context: LimitsContext) {
    const { requests, tokens, calls } = limit;
    const connection = storedText(named);
    this.context = context;
    this.pause = new SharedPause(connection, context);
    const hasRate = requests !== undefined || tokens !== undefined;
    this.rate = hasRate ? new SharedRate(connection, limit, this.pause, context) : undefined;
    this.slots = calls === undefined ? undefined : new SharedSlots(connection, calls, context);
  }

  async take(expected: number, signal: AbortSignal): Promise<CallPermit> {
    const { slots, rate } = this;
    // Before its units: they are for now, not for when a slot is free.
    const hasSlot = slots !== undefined && (await slots.take(signal));
    await this.waitPermit(expected, signal);
    return {
      end: (result) => {
        if (hasSlot) slots.give();
        if (result === undefined) return;
        rate?.correct(tokensOf(result) - expected);
        const pauseMs = askedPauseMs(result, usualPauseMs);
        if (pauseMs !== undefined) this.pause.begin(pauseMs);
      },
    };
  }

  private async waitPermit(expected: number, signal: AbortSignal): Promise<void> {
    const { rate, pause } = this;
    const { clock, ended } = this.context;
    for (let isTaken = false; !signal.aborted && !ended.aborted; ) {
      if (!isTaken) await rate?.take(expected, signal);
      const left = await pause.left();
      if (left <= 0) return;
      // A permit before a pause is none; after it they come one by one, as before.
      isTaken = left < shortPauseMs;
      if (isTaken || rate === undefined) await clock.sleep(Math.ceil(left), signal);
    }
  }

  async end(): Promise<void> {
    try {
      await Promise.all([this.rate?.end(), this.slots?.end(), this.pause.end()]);
    } catch (error) {
      // Leases expire by themselves.
      if (!isDisconnection(error)) throw error;
    }
  }
}
