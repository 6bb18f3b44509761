import type { ServedRequest } from './serve-flow.ts';

/** Requests that have begun and not ended. */
export class RequestsUnderWay {
  #count = 0;
  #onEnded: (() => void) | undefined;

  counted(request: ServedRequest): ServedRequest {
    this.#count += 1;
    return {
      place: request.place,
      drop: () => {
        request.drop();
        this.#leave();
      },
      run: (inputs, options) => request.run(inputs, options).finally(() => this.#leave()),
    };
  }

  /** Resolves once none is under way. */
  ended(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEnded = resolve;
    });
  }

  #leave(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#onEnded?.();
  }
}
