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
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done, { once: true });
    }),
};

/** Shared by all calls on one connection: when the service says "too many", all of them wait, not only the one that heard it. */
export class ModelGate {
  private openAt = 0;

  /** Keeps calls back until `ms` from now. */
  close(ms: number, clock: Clock): void {
    this.openAt = Math.max(this.openAt, clock.now() + ms);
  }

  /** Waits until calls may be made; gives the milliseconds waited. */
  async pass(clock: Clock, signal: AbortSignal): Promise<number> {
    const start = clock.now();
    while (clock.now() < this.openAt && !signal.aborted) await clock.sleep(this.openAt - clock.now(), signal);
    return clock.now() - start;
  }
}
