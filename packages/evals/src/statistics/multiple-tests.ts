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
