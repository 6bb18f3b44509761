/** Numbers that look random and are the same for the same seed (mulberry32). */
export interface RandomSource {
  /** From 0, below `limit`. */
  below(limit: number): number;
  /** True so many times in a hundred. */
  chance(percent: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (from) => {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error('bug: nothing to pick from');
      return picked;
    },
  };
}
