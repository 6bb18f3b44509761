/** Rows by how they passed in two runs. */
export interface FlipTable {
  readonly bothPass: number;
  readonly bothFail: number;
  /** Failed before, pass now. */
  readonly fixed: number;
  /** Passed before, fail now. */
  readonly broken: number;
}

/** @param pairs whether a row passed before and passes now */
export function flipTable(pairs: Iterable<readonly [before: boolean, now: boolean]>): FlipTable {
  const table = { bothPass: 0, bothFail: 0, fixed: 0, broken: 0 };
  for (const [before, now] of pairs) {
    if (before && now) table.bothPass += 1;
    else if (before) table.broken += 1;
    else if (now) table.fixed += 1;
    else table.bothFail += 1;
  }
  return table;
}

/**
 * Two-sided p of McNemar's exact test (1947): whether as many rows were fixed as were broken, by the binomial
 * distribution; 1 where nothing flipped.
 */
export function mcnemarExact({ fixed, broken }: Pick<FlipTable, 'fixed' | 'broken'>): number {
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
