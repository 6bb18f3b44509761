const longestBreathMs = 20;

/** Rows whose nodes answer at once would keep timers and signals waiting; this lets them in from time to time. */
export function createEventLoopYielder(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < longestBreathMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        last = performance.now();
        resolve();
      }),
    );
  };
}
