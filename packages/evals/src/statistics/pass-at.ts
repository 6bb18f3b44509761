/**
 * Chance that at least one of `k` attempts passes, from `passed` of `attempts` (Chen et al. 2021, unbiased). Undefined
 * where there are fewer than `k` attempts.
 */
export function passAt(k: number, attempts: number, passed: number): number | undefined {
  if (attempts < k) return undefined;
  let allFail = 1;
  for (let at = 0; at < k; at += 1) allFail *= Math.max(0, attempts - passed - at) / (attempts - at);
  return 1 - allFail;
}

/** Chance that all of `k` attempts pass, from `passed` of `attempts` (pass^k of τ-bench, unbiased). */
export function passAll(k: number, attempts: number, passed: number): number | undefined {
  if (attempts < k) return undefined;
  let allPass = 1;
  for (let at = 0; at < k; at += 1) allPass *= Math.max(0, passed - at) / (attempts - at);
  return allPass;
}
