/** How many requests run at once, and how many wait for their turn. */
export interface GateLimits {
  readonly inFlight: number;
  readonly queue: number;
}

/** Lets so many requests in at once; of the others so many wait, first come, first served, and the rest are refused. */
export class Gate {
  readonly #limits: GateLimits;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;
  #empty: (() => void) | undefined;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Whether one more would be refused. */
  get isFull(): boolean {
    return this.#inFlight >= this.#limits.inFlight && this.#waiting.length >= this.#limits.queue;
  }

  /** Requests that run or wait. */
  get underWay(): number {
    return this.#inFlight + this.#waiting.length;
  }

  /**
   * @param signal aborted, a request that waits no longer does
   * @returns false where the request is refused: too many wait already, or it has been given up
   */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#inFlight < this.#limits.inFlight) {
      this.#inFlight += 1;
      return true;
    }
    if (this.#waiting.length >= this.#limits.queue) return false;
    return await new Promise((resolve) => {
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        this.#inFlight += 1;
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve(false);
        this.#reportEmpty();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(enter);
    });
  }

  /** What entered has ended. */
  leave(): void {
    this.#inFlight -= 1;
    this.#waiting.shift()?.();
    this.#reportEmpty();
  }

  /** Resolves once nothing runs or waits. */
  empty(): Promise<void> {
    if (this.underWay === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#empty = resolve;
    });
  }

  #reportEmpty(): void {
    if (this.underWay === 0) this.#empty?.();
  }
}
