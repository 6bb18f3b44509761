import type { RandomStream } from '../statistics/random-stream.ts';

/** Draws of the standard normal (Box and Muller 1958), both of each pair. */
export function normalDraws(random: RandomStream): () => number {
  let second: number | undefined;
  return () => {
    if (second !== undefined) {
      const drawn = second;
      second = undefined;
      return drawn;
    }
    const [radius, angle] = [Math.sqrt(-2 * Math.log(1 - random())), 2 * Math.PI * random()];
    second = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
