/**
 * Adjusted p of several tests, in the order given: rejecting those below a level keeps the expected share of false
 * findings below it (Benjamini and Hochberg 1995).
 */
export function benjaminiHochberg(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, at) => [p, at] as const).sort(([one], [other]) => other - one);
  const adjusted = new Array<number>(ps.length);
  let least = 1;
  for (const [place, [p, at]] of order.entries()) {
    least = Math.min(least, (p * ps.length) / (ps.length - place));
    adjusted[at] = least;
  }
  return adjusted;
}

/**
 * The level at which each of several intervals is to be looked at so that their statements hold together: those that exclude
 * 0 are then just those of the tests that Benjamini and Hochberg's procedure rejects, and of these intervals no more than
 * `level` are expected to miss (Benjamini and Yekutieli 2005, false coverage rate). Of one test `level` itself.
 */
export function jointLevel(ps: readonly number[], level: number): number {
  const rejected = benjaminiHochberg(ps).filter((p) => p < level).length;
  return (level * Math.max(1, rejected)) / Math.max(1, ps.length);
}
