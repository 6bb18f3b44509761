/** Rows a second over the last seconds, so that a slow start or a wait is forgotten. */
export interface Rate {
  /** Notes how many have ended at a time in milliseconds; undefined while too little is known. */
  note(at: number, ended: number): number | undefined;
}

const windowMs = 15_000;
const leastMs = 500;

export function createRate(startedAt: number): Rate {
  const samples: { readonly at: number; readonly ended: number }[] = [{ at: startedAt, ended: 0 }];
  return {
    note(at, ended) {
      samples.push({ at, ended });
      while ((samples[1]?.at ?? at) < at - windowMs) samples.shift();
      const [first] = samples;
      if (first === undefined || at - first.at < leastMs || ended === first.ended) return undefined;
      return ((ended - first.ended) * 1000) / (at - first.at);
    },
  };
}
