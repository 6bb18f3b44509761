/** A row that nobody waits for: what happened in it so far, for whoever looks, and how it is given up. */
export class PendingRow {
  readonly #stop = new AbortController();
  readonly #told: string[] = [];
  readonly #watchers = new Set<(text: string) => void>();
  readonly #ended = Promise.withResolvers<void>();

  /** Aborted when it is given up. */
  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  /** @param event as it is written to those who follow it */
  tell(event: string): void {
    if (event === '') return;
    this.#told.push(event);
    for (const watch of this.#watchers) watch(event);
  }

  end(): void {
    this.#ended.resolve();
  }

  /** Gives it up, and resolves when it has ended. */
  async cancel(): Promise<void> {
    this.#stop.abort();
    await this.#ended.promise;
  }

  /** Writes what happened and what happens, until it has ended or nobody reads any more. */
  async follow(write: (text: string) => void, gone: AbortSignal): Promise<void> {
    for (const event of this.#told) write(event);
    this.#watchers.add(write);
    const left = Promise.withResolvers<void>();
    const leave = (): void => left.resolve();
    gone.addEventListener('abort', leave, { once: true });
    if (!gone.aborted) await Promise.race([this.#ended.promise, left.promise]);
    gone.removeEventListener('abort', leave);
    this.#watchers.delete(write);
  }
}
