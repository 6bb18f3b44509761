import type { Clock } from '@unroll/nodes';
import type { Database } from '../database/database.ts';
import { untilReached } from '../database/until-reached.ts';
import type { LimitsContext } from './limits-context.ts';
import { close, closedFor } from './stored-pace.ts';

/** What another worker was told is known here after so long at the latest, when a call is to be made. */
const freshMs = 250;

/** Until when a service wants to hear of nobody, whichever worker it told. */
export class SharedPause {
  private readonly connection: string;
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly ended: AbortSignal;
  /** By the clock of this process. */
  private closedUntil = Number.NEGATIVE_INFINITY;
  private knownAt = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | undefined;
  private readonly telling = new Set<Promise<unknown>>();

  constructor(connection: string, { database, clock, ended }: LimitsContext) {
    this.connection = connection;
    this.database = database;
    this.clock = clock;
    this.ended = ended;
  }

  /** @returns milliseconds it lasts, 0 where there is none; as of a moment ago */
  async left(): Promise<number> {
    const { clock } = this;
    if (clock.now() - this.knownAt > freshMs) {
      this.looking ??= this.look();
      await this.looking;
    }
    return Math.max(0, this.closedUntil - clock.now());
  }

  /** @param closedMs as the database told it a moment ago */
  learn(closedMs: number): void {
    this.knownAt = this.clock.now();
    this.closedUntil = Math.max(this.closedUntil, this.knownAt + closedMs);
  }

  /** The service has asked for it. */
  begin(forMs: number): void {
    this.learn(forMs);
    const tell = (): Promise<void> => close(this.connection, forMs, this.database);
    const telling = untilReached(tell, this.clock, this.ended)
      // Who waits for a turn meets the same failure, and tells it.
      .catch(() => undefined)
      .finally(() => this.telling.delete(telling));
    this.telling.add(telling);
  }

  /** Resolves when nothing is asked of the database any more. */
  async end(): Promise<void> {
    await Promise.all([...this.telling, this.looking]);
  }

  private async look(): Promise<void> {
    try {
      const ask = (): Promise<number> => closedFor(this.connection, this.database);
      const closedMs = await untilReached(ask, this.clock, this.ended);
      if (closedMs !== undefined) this.learn(closedMs);
    } finally {
      this.looking = undefined;
    }
  }
}
