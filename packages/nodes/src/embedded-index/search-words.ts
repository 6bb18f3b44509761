import { textHash } from '@unroll/engine/values';
import { englishStopWords, japaneseStopWords } from './stop-words.ts';

/**
 * The words of a text by which it is found, in order, repeated ones repeated. Width and case are folded (NFKC, lower
 * case), plurals of English give their singular, long sounds at the end of words are left out as engineers do (サーバー, サーバ).
 * Japanese is cut by `Intl.Segmenter`. Function words give nothing.
 */
export function searchWords(text: string): readonly string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  const found: string[] = [];
  if (isAscii.test(folded)) takeLatin(folded, found);
  else for (const segment of segmenter().segment(folded)) takeSegment(segment, found);
  return found;
}

/**
 * Which way of cutting texts this is. Another version of this file, and another dictionary for Japanese in Node, cut
 * otherwise: an index made by one is not searched by the other.
 */
export function tokenizerName(): string {
  known ??= `words-2 ${textHash(searchWords(probe).join(' ')).slice(0, 8)}`;
  return known;
}

let known: string | undefined;
/** Compounds, endings and spellings on which dictionaries differ. */
const probe = `個人情報取扱事業者は、利用目的の達成に必要な範囲を超えて取り扱ってはならない。漏えい等の報告と本人への通知、
  外国にある第三者への提供の制限。問い合わせ・問合せ、打ち合わせ、引っ越し、サーバー、クラウドサービス、東京都千代田区霞が関、国立大学法人、
  機械学習モデルの評価指標を計算する。すもももももももものうち`;

const isAscii = /^[\0-\x7f]*$/u;
const latinWord = /[a-z0-9\u00df-\u024f]+(?:['’][a-z]+)?/gu;
const isOneHiragana = /^[\p{Script=Hiragana}ー]$/u;

/** Of Japanese, and of other letters that may not be parted by spaces. */
function takeSegment({ segment, isWordLike }: Intl.SegmentData, found: string[]): void {
  if (isWordLike !== true) return;
  if (startsLatin(segment)) takeLatin(segment, found);
  else if (reportsSomething(segment)) found.push(withoutLongEnd(segment));
}

/** Of three sounds or more, as JIS Z 8301 has it: コピー keeps its end. */
function withoutLongEnd(segment: string): string {
  return segment.length > 3 && segment.endsWith('ー') && isKatakana.test(segment) ? segment.slice(0, -1) : segment;
}

const isKatakana = /^[\p{Script=Katakana}ー]+$/u;

function startsLatin(segment: string): boolean {
  const code = segment.charCodeAt(0);
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
  return code >= 0xdf && code <= 0x24f;
}

function reportsSomething(segment: string): boolean {
  return (
    !(segment.length <= 4 && japaneseStopWords.has(segment)) && !(segment.length <= 2 && isOneHiragana.test(segment))
  );
}

function takeLatin(text: string, found: string[]): void {
  for (const word of text.match(latinWord) ?? []) {
    const term = termOf(word);
    if (term !== '') found.push(term);
  }
}

/** Terms of Latin words, '' of those that tell nothing: the same few thousand words make up most texts. */
const terms = new Map<string, string>();
const maxTerms = 50_000;

function termOf(word: string): string {
  const known = terms.get(word);
  if (known !== undefined) return known;
  const stem = word.replace(/['’]s$/u, '').replace(/['’]/u, '');
  const term = englishStopWords.has(stem) ? '' : singular(stem);
  if (terms.size >= maxTerms) terms.clear();
  terms.set(word, term);
  return term;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && /[^su]s$/u.test(word) ? word.slice(0, -1) : word;
}

let words: Intl.Segmenter | undefined;

/** Made when first wanted: it is slow to make. */
function segmenter(): Intl.Segmenter {
  words ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return words;
}
