const segmenters = new Map<string, Intl.Segmenter>();

/**
 * Words of a text in lower case, after NFKC, without marks and spaces; Japanese and Chinese are segmented by
 * dictionary, so that 「猫が大好きです」 shares words with 「猫が好きです」.
 *
 * @param locale of the text; Japanese rules hold for English words too
 */
export function wordsOf(text: string, locale = 'ja'): readonly string[] {
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'word' });
  segmenters.set(locale, segmenter);
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text.normalize('NFKC'))) {
    if (isWordLike === true) words.push(segment.toLowerCase());
  }
  return words;
}

/** How often each run of `size` items occurs; keys join the items with a character that is in none. */
export function ngramCounts(items: readonly string[], size: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + size <= items.length; at += 1) {
    const key = items.slice(at, at + size).join('\u0000');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** How many of one multiset are in another. */
export function overlap(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [key, count] of one) shared += Math.min(count, other.get(key) ?? 0);
  return shared;
}

/** Weighted harmonic mean of precision and recall; recall weighs `beta` times as much. */
export function fScore(precision: number, recall: number, beta = 1): number {
  const weight = beta * beta;
  const divisor = weight * precision + recall;
  return divisor === 0 ? 0 : ((1 + weight) * precision * recall) / divisor;
}
