/**
 * Metrics of a ranking: what was returned, best first, against what is relevant. All are between 0 and 1. One that is
 * returned again keeps its place, which others then do not have, and gains nothing there.
 */

/** Share of the first `k` that is relevant; the divisor is `k`, also where fewer were returned. */
export function precisionAt(returned: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  return hitsAt(returned, relevant, k) / k;
}

/** Share of the relevant that is among the first `k`; undefined where nothing is relevant. */
export function recallAt(returned: readonly string[], relevant: ReadonlySet<string>, k: number): number | undefined {
  return relevant.size === 0 ? undefined : hitsAt(returned, relevant, k) / relevant.size;
}

/** 1 over the rank of the first relevant one; 0 where none was returned. */
export function reciprocalRank(returned: readonly string[], relevant: ReadonlySet<string>): number {
  const first = returned.findIndex((id) => relevant.has(id));
  return first < 0 ? 0 : 1 / (first + 1);
}

/** Mean over the relevant of the precision at their ranks; undefined where nothing is relevant. */
export function averagePrecision(returned: readonly string[], relevant: ReadonlySet<string>): number | undefined {
  if (relevant.size === 0) return undefined;
  let hits = 0;
  let sum = 0;
  for (const [index, isHit] of hitsOf(returned, relevant).entries()) {
    if (!isHit) continue;
    hits += 1;
    sum += hits / (index + 1);
  }
  return sum / relevant.size;
}

/**
 * Normalised discounted cumulative gain with binary gains and the discount log2(rank + 1); the ideal ranking holds all
 * relevant ones (Järvelin and Kekäläinen 2002). Undefined where nothing is relevant. A list shorter than `k` earns
 * nothing for what it does not return, where scikit-learn would spread the credit.
 */
export function ndcgAt(returned: readonly string[], relevant: ReadonlySet<string>, k: number): number | undefined {
  if (relevant.size === 0) return undefined;
  return discountedGain(returned, relevant, k) / idealGain(relevant.size, k);
}

/**
 * The figure of ToolGen's published script, never a headline: relevant are only the ones that were returned, and
 * returned ones outside the corpus and ones returned before take no rank, so that a miss or an invented name costs nothing.
 * 0 where no relevant one was returned.
 */
export function ndcgReturnedOnlyAt(
  returned: readonly string[],
  relevant: ReadonlySet<string>,
  corpus: ReadonlySet<string>,
  k: number,
): number {
  const valid = [...new Set(returned)].filter((id) => corpus.has(id));
  const found = new Set(valid.filter((id) => relevant.has(id)));
  return found.size === 0 ? 0 : discountedGain(valid, found, k) / idealGain(found.size, k);
}

/**
 * NDCG over scores with ties averaged, as scikit-learn's `ndcg_score` computes it: each of a group of equal scores gets
 * the group's mean gain.
 */
export function ndcgOfScores(gains: readonly number[], scores: readonly number[], k: number): number {
  const ideal = gainOfOrder(
    [...gains].sort((one, other) => other - one),
    k,
  );
  return ideal === 0 ? 0 : gainOfOrder(tieAveraged(gains, scores), k) / ideal;
}

function tieAveraged(gains: readonly number[], scores: readonly number[]): readonly number[] {
  const groups = new Map<number, number[]>();
  for (const [at, score] of scores.entries()) {
    const group = groups.get(score) ?? [];
    groups.set(score, group);
    group.push(gains[at] ?? 0);
  }
  return [...groups]
    .sort(([one], [other]) => other - one)
    .flatMap(([, group]) => group.map(() => group.reduce((sum, gain) => sum + gain, 0) / group.length));
}

function gainOfOrder(gains: readonly number[], k: number): number {
  return gains.slice(0, k).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

function discountedGain(returned: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  return gainOfOrder(
    hitsOf(returned, relevant).map((isHit) => (isHit ? 1 : 0)),
    k,
  );
}

function idealGain(count: number, k: number): number {
  return gainOfOrder(
    Array.from({ length: Math.min(count, k) }, () => 1),
    k,
  );
}

function hitsAt(returned: readonly string[], relevant: ReadonlySet<string>, k: number): number {
  return hitsOf(returned, relevant)
    .slice(0, k)
    .filter((isHit) => isHit).length;
}

/** At each rank whether it holds a relevant one for the first time. */
function hitsOf(returned: readonly string[], relevant: ReadonlySet<string>): readonly boolean[] {
  const open = new Set(relevant);
  return returned.map((id) => open.delete(id));
}
