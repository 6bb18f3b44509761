interface Watchers {
  readonly all: Set<() => void>;
  readonly callAll: () => void;
}

const watched = new WeakMap<AbortSignal, Watchers>();

/**
 * Calls `work` once, when the signal is aborted; not where it is already. Many rows share one signal, and a listener costs ten
 * times an entry in a set: a signal has one listener for all of them, and none once nobody waits, so that it can be forgotten.
 */
export function onAbort(signal: AbortSignal, work: () => void): void {
  const known = watched.get(signal);
  if (known !== undefined) {
    known.all.add(work);
    return;
  }
  const all = new Set([work]);
  const callAll = (): void => {
    for (const one of [...all]) if (all.has(one)) one();
    watched.delete(signal);
  };
  watched.set(signal, { all, callAll });
  signal.addEventListener('abort', callAll, { once: true });
}

export function offAbort(signal: AbortSignal, work: () => void): void {
  const known = watched.get(signal);
  if (known === undefined || !known.all.delete(work) || known.all.size > 0) return;
  watched.delete(signal);
  signal.removeEventListener('abort', known.callAll);
}
