/** Requests that have begun and not ended. */
export class RequestsUnderWay {
  #count = 0;
  #onEnded: (() => void) | undefined;

  /** One more begins. @returns ends it, to be called once */
  enter(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      if (this.#count === 0) this.#onEnded?.();
    };
  }

  /** Resolves once none is under way. */
  ended(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEnded = resolve;
    });
  }
}
