/** Durations summed up in a few hundred counters, however many there are: each quantile is within 1 % of the true one. */
export interface Quantiles {
  add(ms: number): void;
  /** The smallest duration that at least `share` (0 to 1) of all do not exceed; undefined where there is none. */
  at(share: number): number | undefined;
}

const growth = 1.02;
const smallest = 0.001;

export function createQuantiles(): Quantiles {
  const counts = new Map<number, number>();
  let total = 0;
  return {
    add(ms) {
      const bucket = ms <= smallest ? 0 : Math.ceil(Math.log(ms / smallest) / Math.log(growth));
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      total += 1;
    },
    at(share) {
      if (total === 0) return undefined;
      let left = Math.max(1, Math.ceil(share * total));
      for (const [bucket, count] of [...counts].sort(([one], [other]) => one - other)) {
        left -= count;
        if (left <= 0) return bucket === 0 ? smallest : smallest * growth ** (bucket - 0.5);
      }
      throw new Error('bug: fewer durations than were counted');
    },
  };
}
