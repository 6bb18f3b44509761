/** Why the newest text of a flow is not served. */
export interface FlowMistakes {
  /** Name of its folder. */
  readonly flow: string;
  /** All mistakes with their places, as they are printed. */
  readonly text: string;
  /** Whether an earlier version is served meanwhile. */
  readonly isServed: boolean;
}

/** Flows that are edited while they are served, for whoever watches them. */
export class EditedFlows {
  #mistakes: readonly FlowMistakes[];
  readonly #listeners = new Set<() => void>();
  #hasEnded = false;

  constructor(mistakes: readonly FlowMistakes[]) {
    this.#mistakes = mistakes;
  }

  get mistakes(): readonly FlowMistakes[] {
    return this.#mistakes;
  }

  /** Another version is served, or the mistakes are others. */
  changed(mistakes: readonly FlowMistakes[]): void {
    this.#mistakes = mistakes;
    for (const listen of this.#listeners) listen();
  }

  /** Nothing changes any more. */
  end(): void {
    this.#hasEnded = true;
    for (const listen of this.#listeners) listen();
  }

  /** Calls back at once and at every change until that is over or `left` is aborted. */
  follow(onChange: () => void, left: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const listen = (): void => {
        if (this.#hasEnded || left.aborted) {
          this.#listeners.delete(listen);
          left.removeEventListener('abort', listen);
          resolve();
        } else onChange();
      };
      this.#listeners.add(listen);
      left.addEventListener('abort', listen, { once: true });
      listen();
    });
  }
}
