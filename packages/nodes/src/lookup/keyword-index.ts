import type { SearchHit, SearchIndex } from '@unroll/engine';
import type { LookupDocument } from './read-documents.ts';
import { type Term, tokenizeText } from './tokenize-text.ts';

/** A search index held in memory, which answers at once. */
export interface KeywordIndex extends SearchIndex {
  readonly size: number;
  search(query: string, options?: SearchOptions): readonly SearchHit[];
}

export interface SearchOptions {
  /** How many hits at most; default 3. */
  readonly topK?: number;
  /** Hits that score less are left out. */
  readonly minimumScore?: number;
}

export const defaultTopK = 3;

/**
 * An index over title (counted twice), text and texts of the other fields. Hits are ordered by score, then by id, so
 * that the same question gives the same answer everywhere.
 *
 * BM25 as in Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with k1 = 1.2 and
 * b = 0.75; a term counts with its weight.
 */
export function createKeywordIndex(documents: readonly LookupDocument[]): KeywordIndex {
  const { postings, lengths } = indexTerms(documents);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  return {
    size: documents.length,
    search: (query, { topK = defaultTopK, minimumScore = 0 } = {}) => {
      const scores = scoreDocuments(tokenizeText(query), postings, lengths, meanLength);
      return [...scores]
        .map(([number, score]) => toHit(documents[number], score))
        .filter((hit) => hit.score > 0 && hit.score >= minimumScore)
        .sort((left, right) => right.score - left.score || compareText(left.id, right.id))
        .slice(0, topK);
    },
  };
}

const k1 = 1.2;
const b = 0.75;
const titleCount = 2;

/** How often a term stands in the n-th document. */
type Postings = ReadonlyMap<string, ReadonlyMap<number, number>>;

function indexTerms(documents: readonly LookupDocument[]): { postings: Postings; lengths: readonly number[] } {
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map((document, number) => {
    const terms = documentTerms(document);
    for (const { text } of terms) {
      const counts = postings.get(text) ?? new Map<number, number>();
      postings.set(text, counts.set(number, (counts.get(number) ?? 0) + 1));
    }
    return terms.reduce((sum, term) => sum + term.weight, 0);
  });
  return { postings, lengths };
}

function documentTerms(document: LookupDocument): readonly Term[] {
  const title = tokenizeText(document.title ?? '');
  const titles = Array.from({ length: titleCount }, () => title).flat();
  return [...titles, ...tokenizeText(document.text), ...textsOf(document.fields).flatMap(tokenizeText)];
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function scoreDocuments(
  terms: readonly Term[],
  postings: Postings,
  lengths: readonly number[],
  meanLength: number,
): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const [text, weight] of new Map(terms.map((term) => [term.text, term.weight]))) {
    const counts = postings.get(text);
    if (counts === undefined) continue;
    const rarity = Math.log(1 + (lengths.length - counts.size + 0.5) / (counts.size + 0.5));
    for (const [number, count] of counts) {
      const norm = 1 - b + (b * (lengths[number] ?? 0)) / meanLength;
      const score = (weight * rarity * count * (k1 + 1)) / (count + k1 * norm);
      scores.set(number, (scores.get(number) ?? 0) + score);
    }
  }
  return scores;
}

function toHit(document: LookupDocument | undefined, score: number): SearchHit {
  if (document === undefined) throw new Error('bug: a posting names no document');
  return { ...document, score: Math.round(score * 1e4) / 1e4 };
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
