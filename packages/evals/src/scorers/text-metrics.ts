import { fScore, ngramCounts, overlap, wordsOf } from './text-tokens.ts';

/** Metrics of a text against a reference, between 0 and 1; words are those of `wordsOf` unless others are given. */

/** Harmonic mean of the shares of words that both texts have (SQuAD's F1); two empty texts agree. */
export function wordF1(text: string, reference: string, words = wordsOf): number {
  const [own, wanted] = [words(text), words(reference)];
  if (own.length === 0 || wanted.length === 0) return own.length === wanted.length ? 1 : 0;
  const shared = overlap(ngramCounts(own, 1), ngramCounts(wanted, 1));
  return fScore(shared / own.length, shared / wanted.length);
}

/** ROUGE-L of one sentence: F1 of the longest common subsequence of words (Lin 2004). */
export function rougeL(text: string, reference: string, words = wordsOf): number {
  const [own, wanted] = [words(text), words(reference)];
  if (own.length === 0 || wanted.length === 0) return 0;
  const common = longestCommon(own, wanted);
  return fScore(common / own.length, common / wanted.length);
}

function longestCommon(one: readonly string[], other: readonly string[]): number {
  let last = new Uint32Array(other.length + 1);
  for (const word of one) {
    const next = new Uint32Array(other.length + 1);
    for (const [at, candidate] of other.entries()) {
      const longest = Math.max(next[at] as number, last[at + 1] as number);
      next[at + 1] = word === candidate ? (last[at] as number) + 1 : longest;
    }
    last = next;
  }
  return last[other.length] as number;
}

const bleuOrder = 4;

/**
 * BLEU of one sentence with up to four words (Papineni et al. 2002), smoothed where an order has no match as sacreBLEU
 * does (`exp`: half, a quarter … of a match) and by the orders the text is long enough for.
 */
export function bleu(text: string, reference: string, words = wordsOf): number {
  const [own, wanted] = [words(text), words(reference)];
  const orders = Math.min(bleuOrder, own.length);
  if (orders === 0) return 0;
  let logSum = 0;
  let smoothing = 1;
  for (let size = 1; size <= orders; size += 1) {
    const shared = overlap(ngramCounts(own, size), ngramCounts(wanted, size));
    if (shared === 0 && size === 1) return 0;
    if (shared === 0) smoothing *= 2;
    logSum += Math.log((shared === 0 ? 1 / smoothing : shared) / (own.length - size + 1));
  }
  const brevity = own.length >= wanted.length ? 1 : Math.exp(1 - wanted.length / own.length);
  return brevity * Math.exp(logSum / orders);
}

const chrfOrder = 6;
const chrfBeta = 2;

/** chrF2 (Popović 2015) as sacreBLEU computes it: F2 of runs of one to six characters, spaces left out. */
export function chrf(text: string, reference: string): number {
  const [own, wanted] = [charactersOf(text), charactersOf(reference)];
  let precision = 0;
  let recall = 0;
  let orders = 0;
  for (let size = 1; size <= chrfOrder; size += 1) {
    const [ownCount, wantedCount] = [own.length - size + 1, wanted.length - size + 1];
    if (ownCount <= 0 || wantedCount <= 0) continue;
    const shared = overlap(ngramCounts(own, size), ngramCounts(wanted, size));
    precision += shared / ownCount;
    recall += shared / wantedCount;
    orders += 1;
  }
  return orders === 0 ? 0 : fScore(precision / orders, recall / orders, chrfBeta);
}

function charactersOf(text: string): readonly string[] {
  return [...text.replace(/\s+/gu, '')];
}
