/** A document and its score for a query. */
interface OkapiHit {
  /** Its place among the documents. */
  readonly document: number;
  readonly score: number;
}

const k1 = 1.5;
const b = 0.75;
/** What a word that stands in more than half of the documents counts, in terms of the mean of all words. */
const epsilon = 0.25;

/**
 * Plain BM25 over whole texts, the baseline that tool retrieval is measured against: words are runs of `a-z0-9` after
 * `aB` is split, each word of the query counts as often as it stands there, and a word in more than half of the documents
 * counts a quarter of the mean rarity in place of its negative one.
 *
 * BM25 (Okapi) as in Robertson and others, Okapi at TREC-3 (1994), with the floor for common words that the Python package
 * rank_bm25 has.
 *
 * @returns ranks `[count]` documents for a query, best first, equal ones in their order
 */
export function okapiRanking(texts: readonly string[]): (query: string, count: number) => readonly OkapiHit[] {
  const documents = texts.map((text) => countWords(okapiWords(text)));
  const lengths = documents.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const rarity = rarities(documents);
  const scoreOf = (words: readonly string[], at: number): number => {
    const counts = documents[at] ?? new Map<string, number>();
    const norm = k1 * (1 - b + (b * (lengths[at] ?? 0)) / meanLength);
    return words.reduce((sum, word) => {
      const count = counts.get(word) ?? 0;
      return sum + ((rarity.get(word) ?? 0) * count * (k1 + 1)) / (count + norm);
    }, 0);
  };
  return (query, count) => {
    const words = okapiWords(query);
    return documents
      .map((_, document) => ({ document, score: scoreOf(words, document) }))
      .sort((one, other) => other.score - one.score || one.document - other.document)
      .slice(0, count);
  };
}

function okapiWords(text: string): readonly string[] {
  return (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  );
}

function countWords(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function rarities(documents: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const holders = countWords(documents.flatMap((counts) => [...counts.keys()]));
  const raw = new Map(
    [...holders].map(([word, count]) => [word, Math.log(documents.length - count + 0.5) - Math.log(count + 0.5)]),
  );
  const mean = [...raw.values()].reduce((sum, value) => sum + value, 0) / Math.max(1, raw.size);
  return new Map([...raw].map(([word, value]) => [word, value < 0 ? epsilon * mean : value]));
}
