/** Rows that passed in one of two runs and not in the other. */
export interface Flips {
  /** Failed before, pass now. */
  readonly fixed: number;
  /** Passed before, fail now. */
  readonly broken: number;
}

/**
 * Two-sided p of McNemar's exact test (1947): whether as many rows were fixed as were broken, by the binomial
 * distribution; 1 where nothing flipped.
 */
export function mcnemarExact({ fixed, broken }: Flips): number {
  const flips = fixed + broken;
  if (flips === 0) return 1;
  let log = -flips * Math.LN2;
  let sum = Math.exp(log);
  for (let heads = 1; heads <= Math.min(fixed, broken); heads += 1) {
    log += Math.log(flips - heads + 1) - Math.log(heads);
    sum += Math.exp(log);
  }
  return Math.min(1, 2 * sum);
}
