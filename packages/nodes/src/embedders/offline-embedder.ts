import { hash } from 'node:crypto';
import type { Embedder, Fusion } from '@unroll/engine';
import { searchWords } from '../embedded-index/search-words.ts';

/**
 * An embedder without a model: the words of a text, and each two and three neighbouring Japanese characters, weighed by
 * how rare they are in the documents it was made for (TF-IDF) and hashed to 1,024 places. It knows no synonyms; it finds
 * compounds that were cut into other words. The same documents give the same embedder on every machine.
 *
 * Hashing with signs as in Weinberger and others, Feature Hashing for Large Scale Multitask Learning (2009).
 */
export function offlineEmbedder(rarity: Rarity): Embedder {
  return {
    model: `offline-tfidf-1 ${rarity.digest}`,
    fusion,
    embed: async (texts, purpose) => ({ ok: true, vectors: texts.map((text) => vectorOf(text, rarity, purpose)) }),
  };
}

/**
 * A cosine near 0 says that nothing is like the query, so it is added as it is. Of four ways and eleven weights this one ranked
 * best for queries made of documents themselves (bench/fit-fusion.ts); no judged query took part.
 */
const fusion: Fusion = { method: 'relative', weights: { keyword: 0.6, vector: 0.4 } };

/** How many documents hold a term, by the hash of the term. */
export interface Rarity {
  readonly documents: number;
  /** `[2 ** 15]` */
  readonly counts: Uint32Array;
  readonly digest: string;
}

const dimensions = 1024;
const buckets = 2 ** 15;

/** @param texts of the documents that will be searched */
export function learnRarity(texts: Iterable<string>): Rarity {
  const counts = new Uint32Array(buckets);
  let documents = 0;
  for (const text of texts) {
    documents += 1;
    for (const bucket of new Set([...termCounts(text).keys()].map((term) => hashOf(term) % buckets))) {
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
  }
  return rarityOf(documents, counts);
}

/** As one text, to be kept beside the vectors. */
export function stringifyRarity({ documents, counts }: Rarity): string {
  return `${documents} ${Buffer.from(counts.buffer, counts.byteOffset, counts.byteLength).toString('base64')}`;
}

/** @throws Error when the text was not printed by `printRarity` */
export function readRarity(text: string): Rarity {
  const [documents = '', base64 = ''] = text.split(' ');
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  if (bytes.length !== buckets * 4) throw new Error('the counts of the offline embedder are broken');
  return rarityOf(Number(documents), new Uint32Array(bytes.buffer, bytes.byteOffset, buckets));
}

function rarityOf(documents: number, counts: Uint32Array): Rarity {
  const digest = hash('sha256', Buffer.from(counts.buffer, counts.byteOffset, counts.byteLength), 'hex').slice(0, 8);
  return { documents, counts, digest };
}

/** A word of a query that no document had finds nothing, and would only fall on the place of another. */
function vectorOf(text: string, { documents, counts }: Rarity, purpose: 'document' | 'query'): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [term, count] of termCounts(text)) {
    const at = hashOf(term);
    const known = counts[at % buckets] ?? 0;
    if (known === 0 && purpose === 'query') continue;
    const rarity = Math.log((documents + 1) / (known + 0.5));
    const weight = Math.log1p(count) * Math.max(0, rarity);
    const place = (at >>> 15) % dimensions;
    vector[place] = (vector[place] ?? 0) + (at >>> 31 === 0 ? weight : -weight);
  }
  return vector;
}

/** Measured on the guideline and the articles of APPI (bench/README.md). */
const weights = { word: 0.5, pair: 1, triple: 0.5, title: 3 };
const japaneseRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
const isHiragana = /^[\p{Script=Hiragana}ー]+$/u;

/** How often each term stands in a text, weighed by its kind; the first of several lines is a title. */
function termCounts(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const [first = '', ...rest] = text.split('\n');
  countTerms(first, rest.length > 0 ? weights.title : 1, counts);
  countTerms(rest.join('\n'), 1, counts);
  return counts;
}

function countTerms(text: string, times: number, counts: Map<string, number>): void {
  const count = (term: string, weight: number): void => void counts.set(term, (counts.get(term) ?? 0) + weight * times);
  for (const word of searchWords(text)) count(`1${word}`, weights.word);
  for (const [run] of text.normalize('NFKC').matchAll(japaneseRun)) {
    const letters = Array.from(run);
    for (let at = 0; at + 1 < letters.length; at += 1) {
      const pair = `${letters[at]}${letters[at + 1]}`;
      if (!isHiragana.test(pair)) count(`2${pair}`, weights.pair);
      const triple = `${pair}${letters[at + 2] ?? ''}`;
      if (triple.length > pair.length && !isHiragana.test(triple)) count(`3${triple}`, weights.triple);
    }
  }
}

/** FNV-1a over UTF-16 units, its bits mixed at the end (MurmurHash3's finalizer), 32 bits. */
function hashOf(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
