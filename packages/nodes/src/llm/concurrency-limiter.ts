import { longestTimerMs } from '@unroll/engine';

/** Time as the retries see it; tests bring their own. */
export interface Clock {
  now(): number;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const timer = setTimeout(done, Math.min(ms, longestTimerMs));
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done, { once: true });
    }),
};

/** How a connection is asked at the moment, where its service has said "too many". */
export interface ThrottleState {
  readonly connection: string;
  /** Calls that may be under way at the same time; absent where as many as are wanted. */
  readonly most?: number;
  /** Milliseconds until calls are made again; 0 where they are. */
  readonly waitMs: number;
}

/** The leave to make one call; given back when it ended. */
export interface Permit {
  /** How often the gate had been narrowed when the call was made. */
  readonly round: number;
}

/** How a call ended as far as the gate is concerned; `waitMs`: the service wants to hear nothing for so long. */
export type Ending =
  | { readonly kind: 'answered'; readonly waitMs?: number | undefined }
  | { readonly kind: 'refused'; readonly waitMs: number }
  | { readonly kind: 'failed' };

interface Waiting {
  readonly go: () => void;
  readonly tries: number;
}

/** By how many calls the gate widens while as many are answered as may be under way. */
const widening = 4;

/**
 * Shared by all calls on one connection. When the service says "too many", all of them wait as long as it asks for, not
 * only the one that heard it, and from then on half as many are under way at the same time; answers widen the gate again
 * step by step, until it holds nothing back (additive increase, multiplicative decrease, as TCP does: RFC 5681, 3.1).
 */
export class ConcurrencyLimiter {
  private readonly waiting: Waiting[] = [];
  private inFlight = 0;
  private most = Number.POSITIVE_INFINITY;
  /** Under way when the gate was narrowed first: what it widens to. */
  private widest = 0;
  private round = 0;
  private openAt = 0;
  private isOpening = false;

  /**
   * Waits for its turn; a call that is given up has it at once. No promise where nothing holds it back.
   *
   * @param tries tries the call has behind it: the more, the earlier it is let in, so that none spends them all on bad luck
   */
  enter(clock: Clock, signal: AbortSignal, tries = 0): Permit | Promise<Permit> {
    if (this.isFree(clock) || signal.aborted) return this.begin();
    return new Promise((resolve) => {
      const go = (): void => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        signal.removeEventListener('abort', go);
        resolve(this.begin());
      };
      const waiting = { go, tries };
      this.queue(waiting);
      signal.addEventListener('abort', go);
      this.admit(clock);
    });
  }

  leave({ round }: Permit, ending: Ending, clock: Clock): void {
    // Calls that were under way when the gate was narrowed say nothing about how wide it is now.
    const isOfNow = round === this.round;
    if (ending.kind === 'refused' && isOfNow) this.narrow();
    if (ending.kind === 'answered' && isOfNow) this.widen();
    if (ending.kind !== 'failed' && ending.waitMs !== undefined) {
      this.openAt = Math.max(this.openAt, clock.now() + ending.waitMs);
    }
    this.inFlight -= 1;
    if (this.waiting.length > 0) this.admit(clock);
  }

  /** undefined while nothing holds calls back. */
  pace(clock: Clock): Omit<ThrottleState, 'connection'> | undefined {
    const waitMs = this.openAt === 0 ? 0 : Math.max(0, this.openAt - clock.now());
    if (this.most !== Number.POSITIVE_INFINITY) return { most: Math.floor(this.most), waitMs };
    return waitMs === 0 ? undefined : { waitMs };
  }

  private isFree(clock: Clock): boolean {
    return !this.isFull() && (this.openAt === 0 || clock.now() >= this.openAt);
  }

  /** Whoever waits is let in when a call under way ends. */
  private isFull(): boolean {
    return this.inFlight >= Math.floor(this.most);
  }

  private begin(): Permit {
    this.inFlight += 1;
    return { round: this.round };
  }

  /** Behind all that were tried as often. */
  private queue(waiting: Waiting): void {
    const place = this.waiting.findIndex(({ tries }) => tries < waiting.tries);
    this.waiting.splice(place === -1 ? this.waiting.length : place, 0, waiting);
  }

  private admit(clock: Clock): void {
    while (this.isFree(clock) && this.waiting[0] !== undefined) this.waiting[0].go();
    if (this.waiting.length === 0 || this.isOpening || this.isFull()) return;
    // Time alone holds them back. It goes on between two looks at the clock: the wait may be over by now.
    this.isOpening = true;
    void clock.sleep(Math.max(0, this.openAt - clock.now()), neverAborted).then(() => {
      this.isOpening = false;
      this.admit(clock);
    });
  }

  private narrow(): void {
    if (this.most === Number.POSITIVE_INFINITY) this.widest = this.inFlight;
    this.most = Math.max(1, Math.floor(Math.min(this.most, this.inFlight) / 2));
    this.round += 1;
  }

  private widen(): void {
    if (this.most === Number.POSITIVE_INFINITY) return;
    this.most += widening / this.most;
    if (this.most >= this.widest) this.most = Number.POSITIVE_INFINITY;
  }
}

const neverAborted = new AbortController().signal;

/** The gates of connections, by their names. */
export class ConcurrencyLimiters {
  private readonly gates = new Map<string, ConcurrencyLimiter>();

  of(connection: string): ConcurrencyLimiter {
    const known = this.gates.get(connection);
    if (known !== undefined) return known;
    const gate = new ConcurrencyLimiter();
    this.gates.set(connection, gate);
    return gate;
  }

  /** Of the connections whose calls are held back. */
  paces(clock: Clock = systemClock): readonly ThrottleState[] {
    return [...this.gates].flatMap(([connection, gate]) => {
      const pace = gate.pace(clock);
      return pace === undefined ? [] : [{ connection, ...pace }];
    });
  }
}
