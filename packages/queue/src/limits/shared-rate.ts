import type { CallLimit, Clock } from '@unroll/nodes';
import type { Database } from '../database/database.ts';
import { untilReached } from '../database/until-reached.ts';
import type { LimitsContext } from './limits-context.ts';
import type { SharedPause } from './shared-pause.ts';
import { burstMs, type TakenFrom, takeUnits } from './stored-pace.ts';

/** So far ahead a worker takes units at most, but for one call: what it has taken the others have not. */
const horizonMs = 1000;

/** Tokens that were told after the call are put right after so long at the latest. */
const correctionMs = 100;

interface WaitingCall {
  readonly tokens: number;
  /** @param at by the clock of this process */
  readonly go: (at: number) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Requests and tokens a minute that all workers together make on a connection. Calls that wait here are taken permits for in one
 * question to the database, one question at a time.
 */
export class SharedRate {
  private readonly connection: string;
  private readonly msPerRequest: number;
  private readonly msPerToken: number;
  private readonly pause: SharedPause;
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly ended: AbortSignal;
  private readonly waiting: WaitingCall[] = [];
  /** When the last of the permits that were taken comes, by the clock of this process. */
  private takenUntil = Number.NEGATIVE_INFINITY;
  private correction = 0;
  private asking: Promise<void> | undefined;

  constructor(
    connection: string,
    { requests, tokens }: Pick<CallLimit, 'requests' | 'tokens'>,
    pause: SharedPause,
    { database, clock, ended }: LimitsContext,
  ) {
    this.connection = connection;
    this.msPerRequest = requests === undefined ? 0 : 60_000 / requests;
    this.msPerToken = tokens === undefined ? 0 : 60_000 / tokens;
    this.pause = pause;
    this.database = database;
    this.clock = clock;
    this.ended = ended;
  }

  /**
   * Resolves when its requests and tokens may be used, or the wait is given up.
   *
   * @throws what the database answers that will not pass by itself
   */
  async take(tokens: number, signal: AbortSignal): Promise<void> {
    const at = await new Promise<number>((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(call), 1);
        resolve(0);
      };
      const go = (moment: number): void => {
        signal.removeEventListener('abort', leave);
        resolve(moment);
      };
      const fail = (error: unknown): void => {
        signal.removeEventListener('abort', leave);
        reject(error);
      };
      const call = { tokens, go, fail };
      this.waiting.push(call);
      signal.addEventListener('abort', leave, { once: true });
      this.ask();
    });
    const wait = at - this.clock.now();
    if (wait > 0) await this.clock.sleep(Math.ceil(wait), signal);
  }

  /** @param tokens used above those that were taken, or, below 0, not used */
  correct(tokens: number): void {
    if (this.msPerToken === 0 || tokens === 0) return;
    this.correction += tokens;
    this.ask();
  }

  /** What was used and is not known yet counts for the others too. */
  async end(): Promise<void> {
    await this.asking;
    const correctionMs = this.correction * this.msPerToken;
    if (correctionMs === 0) return;
    await takeUnits(this.connection, { requestsMs: 0, tokensMs: 0, correctionMs }, this.database);
  }

  private ask(): void {
    this.asking ??= this.askAll()
      .catch((error: unknown) => {
        for (const call of this.waiting.splice(0)) call.fail(error);
      })
      .finally(() => {
        this.asking = undefined;
      });
  }

  private async askAll(): Promise<void> {
    const { clock, ended } = this;
    while (!ended.aborted && (this.waiting.length > 0 || this.correction !== 0)) {
      if (this.waiting.length === 0) await clock.sleep(correctionMs, ended);
      const ahead = this.takenUntil - clock.now();
      if (ahead > horizonMs / 2 && this.waiting.length > 0) await clock.sleep(ahead - horizonMs / 2, ended);
      if (!ended.aborted) await this.takeFor(this.nextCalls());
    }
    for (const call of this.waiting.splice(0)) call.go(0);
  }

  /** As many as the horizon holds, and one at least. */
  private nextCalls(): readonly WaitingCall[] {
    let [count, requestsMs, tokensMs] = [0, 0, 0];
    for (const { tokens } of this.waiting) {
      requestsMs += this.msPerRequest;
      tokensMs += tokens * this.msPerToken;
      if (count > 0 && Math.max(requestsMs, tokensMs) > horizonMs) break;
      count += 1;
    }
    return this.waiting.splice(0, count);
  }

  private async takeFor(calls: readonly WaitingCall[]): Promise<void> {
    const { connection, database, clock, ended, msPerRequest, msPerToken } = this;
    const tokens = calls.reduce((sum, call) => sum + call.tokens, 0);
    const correction = this.correction;
    this.correction = 0;
    const units = {
      requestsMs: calls.length * msPerRequest,
      tokensMs: tokens * msPerToken,
      correctionMs: correction * msPerToken,
    };
    try {
      const permit = await untilReached(() => takeUnits(connection, units, database), clock, ended);
      if (permit !== undefined) this.pause.learn(permit.closedMs);
      this.hand(calls, permit ?? { requestsMs: 0, tokensMs: 0, closedMs: 0 });
    } catch (error) {
      for (const call of calls) call.fail(error);
    }
  }

  /** One after the other, each when the units of those before it are used up. */
  private hand(calls: readonly WaitingCall[], { requestsMs, tokensMs, closedMs }: TakenFrom): void {
    const now = this.clock.now();
    let [requestAt, tokenAt] = [requestsMs, tokensMs];
    for (const { tokens, go } of calls) {
      const forRequests = this.msPerRequest === 0 ? 0 : requestAt - burstMs;
      const forTokens = this.msPerToken === 0 ? 0 : tokenAt - burstMs;
      const at = now + Math.max(0, closedMs, forRequests, forTokens);
      this.takenUntil = Math.max(this.takenUntil, at);
      go(at);
      requestAt += this.msPerRequest;
      tokenAt += tokens * this.msPerToken;
    }
  }
}
