interface Watchers {
  readonly all: Set<() => void>;
  readonly tell: () => void;
}

const watched = new WeakMap<AbortSignal, Watchers>();

/**
 * Who is to be told when a signal is aborted. Many rows share one signal, and a listener costs ten times an entry in a set:
 * a signal has one listener for all of them, and none once nobody watches, so that it can be forgotten.
 */
export const aborts = {
  /** Calls `work` once, when the signal is aborted; not where it is already. */
  watch(signal: AbortSignal, work: () => void): void {
    const known = watched.get(signal);
    if (known !== undefined) {
      known.all.add(work);
      return;
    }
    const all = new Set([work]);
    const tell = (): void => {
      for (const one of [...all]) if (all.has(one)) one();
      watched.delete(signal);
    };
    watched.set(signal, { all, tell });
    signal.addEventListener('abort', tell, { once: true });
  },

  unwatch(signal: AbortSignal, work: () => void): void {
    const known = watched.get(signal);
    if (known === undefined || !known.all.delete(work) || known.all.size > 0) return;
    watched.delete(signal);
    signal.removeEventListener('abort', known.tell);
  },
};
