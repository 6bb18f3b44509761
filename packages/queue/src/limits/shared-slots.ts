import { randomUUID } from 'node:crypto';
import type { Clock } from '@unroll/nodes';
import type { Database } from '../database/database.ts';
import { untilReached } from '../database/until-reached.ts';
import type { LimitsContext } from './limits-context.ts';
import { dropLease, renewLease } from './stored-lease.ts';

/** Between two questions of a worker while calls wait or have ended; doubled while nothing is free, to the longest. */
const lookMs = 50;
const longestLookMs = 400;

/** A worker is heard of so often while calls are under way; after 10 seconds they are given to others. */
const renewMs = 3000;

interface WaitingCall {
  readonly go: () => void;
  readonly leave: () => void;
  readonly fail: (error: unknown) => void;
}

/** So many calls of all workers together are under way on a connection; this is the part of one worker. */
export class SharedSlots {
  private readonly connection: string;
  private readonly most: number;
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly ended: AbortSignal;
  private readonly holder = randomUUID();
  private readonly waiting: WaitingCall[] = [];
  private used = 0;
  /** As the database knows it. */
  private told = 0;
  private toldAt = Number.NEGATIVE_INFINITY;
  private isOtherStarving = false;
  private looking: Promise<void> | undefined;

  constructor(connection: string, most: number, { database, clock, ended }: LimitsContext) {
    this.connection = connection;
    this.most = most;
    this.database = database;
    this.clock = clock;
    this.ended = ended;
  }

  /** @returns whether a slot was taken, and is to be given back: not where the wait was given up */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || this.ended.aborted) return false;
    if (this.used < this.told && this.waiting.length === 0) {
      this.used += 1;
      return true;
    }
    return await new Promise((resolve, reject) => {
      const settle = (end: () => void) => (): void => {
        signal.removeEventListener('abort', onAbort);
        end();
      };
      const call = {
        go: settle(() => resolve(true)),
        leave: settle(() => resolve(false)),
        fail: (error: unknown) => settle(() => reject(error))(),
      };
      const onAbort = (): void => {
        this.waiting.splice(this.waiting.indexOf(call), 1);
        call.leave();
      };
      this.waiting.push(call);
      signal.addEventListener('abort', onAbort, { once: true });
      this.look();
    });
  }

  give(): void {
    // A slot goes on within the worker, unless another worker has none at all.
    const next = this.isOtherStarving ? undefined : this.waiting.shift();
    if (next === undefined) this.used -= 1;
    else next.go();
    this.look();
  }

  /** Others need not wait until what was under way here is forgotten. */
  async end(): Promise<void> {
    await this.looking;
    await dropLease(this.holder, this.database);
  }

  private look(): void {
    this.looking ??= this.lookOn()
      .catch((error: unknown) => {
        for (const call of this.waiting.splice(0)) call.fail(error);
      })
      .finally(() => {
        this.looking = undefined;
      });
  }

  private async lookOn(): Promise<void> {
    const { clock, ended } = this;
    let sleepMs = lookMs;
    while (!ended.aborted && (this.waiting.length > 0 || this.used > 0 || this.told > 0)) {
      const isWaiting = this.waiting.length > 0;
      const isChanged = isWaiting || this.used !== this.told;
      if (isChanged || clock.now() - this.toldAt >= renewMs) await this.renew();
      const isHeldBack = isWaiting && this.used === 0;
      sleepMs = isHeldBack ? Math.min(2 * sleepMs, longestLookMs) : lookMs;
      await clock.sleep(sleepMs, ended);
    }
    for (const call of this.waiting.splice(0)) call.leave();
  }

  private async renew(): Promise<void> {
    const { connection, holder, most, database, clock, ended } = this;
    const wish = { connection, holder, most, held: this.used, wanted: this.waiting.length };
    // From here on the database may give away what is not used.
    this.told = this.used;
    const lease = await untilReached(() => renewLease(wish, database), clock, ended);
    if (lease === undefined) return;
    this.told = wish.held + lease.granted;
    this.toldAt = clock.now();
    this.isOtherStarving = lease.isOtherStarving;
    while (this.used < this.told && this.waiting.length > 0) {
      this.used += 1;
      this.waiting.shift()?.go();
    }
  }
}
