import type { Fusion } from '@unroll/engine';

/** Scores by document, as one way of searching gives them. */
export type Scores = ReadonlyMap<number, number>;

/** One score for each document of either ranking. */
export function fuseRankings(keyword: Scores, vector: Scores, fusion: Fusion): Scores {
  const { weights } = fusion;
  const documents = new Set([...keyword.keys(), ...vector.keys()]);
  const [byWords, byMeaning] = comparable(keyword, vector, documents, fusion);
  return new Map(
    [...documents].map((document) => [
      document,
      weights.keyword * (byWords.get(document) ?? 0) + weights.vector * (byMeaning.get(document) ?? 0),
    ]),
  );
}

/** Both scores in a form in which they can be added. */
function comparable(
  keyword: Scores,
  vector: Scores,
  documents: ReadonlySet<number>,
  fusion: Fusion,
): readonly [Scores, Scores] {
  switch (fusion.method) {
    case 'rrf':
      return [reciprocalRanks(keyword, fusion.k), reciprocalRanks(vector, fusion.k)];
    case 'linear':
      return [standardScores(keyword, documents), standardScores(vector, documents)];
    case 'relative':
      return [partsOfBest(keyword), vector];
  }
}

/** Scores above 0; the best becomes 1. */
function partsOfBest(scores: Scores): Scores {
  const best = Math.max(...scores.values());
  return new Map([...scores].map(([document, score]) => [document, score / best]));
}

/** `1 / (k + rank)`, the first rank being 1; a document that is not in the ranking has 0. */
function reciprocalRanks(scores: Scores, k: number): Scores {
  const ranked = [...scores].sort(([, left], [, right]) => right - left);
  return new Map(ranked.map(([document], index) => [document, 1 / (k + index + 1)]));
}

/** How many standard deviations above the mean; a document without a score is taken to have the least one. */
function standardScores(scores: Scores, documents: ReadonlySet<number>): Scores {
  const least = Math.min(...scores.values());
  const filled = [...documents].map((document): readonly [number, number] => [
    document,
    scores.get(document) ?? (scores.size === 0 ? 0 : least),
  ]);
  const mean = filled.reduce((sum, [, score]) => sum + score, 0) / filled.length;
  const variance = filled.reduce((sum, [, score]) => sum + (score - mean) ** 2, 0) / filled.length;
  const deviation = Math.sqrt(variance);
  return new Map(filled.map(([document, score]) => [document, deviation === 0 ? 0 : (score - mean) / deviation]));
}
