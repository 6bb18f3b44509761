import { capitalsIn, readWords, shareWritten, type TextWords } from './held-words.ts';
import { isLight } from './light-words.ts';
import type { Passage } from './read-passages.ts';

/**
 * What each word of a question says of what is asked for. Least such as a question on anything may hold (happen, 問題) and what
 * the instructions themselves are about: all that is searched is on that.
 *
 * @param subject the words of the instructions
 */
export function weightsFor(question: string, subject: TextWords): (word: string) => number {
  const short = capitalsIn(question);
  return (word) => {
    if (tellsLittle(word, subject)) return little;
    return short.has(word) ? 2 : weightOf(word);
  };
}

/** Whether a question on anything may hold a word, or all that is searched is on it. */
export function tellsLittle(word: string, subject: TextWords): boolean {
  return isLight(word) || shareWritten(subject, word) === 1;
}

/**
 * Whether it says nothing of a passage that it lacks a word: because the instructions have it and half of what was found is on it,
 * or it stands in a name there (APPI); or because it is a lone character that others hold as part of other words (方 in 方法).
 * What the instructions say by the way (検索結果), or stands alone in others (車), may be what is asked for.
 *
 * @param passages all that were found
 */
export function saysNothing(
  subject: TextWords,
  passage: Passage,
  passages: readonly Passage[],
): (word: string) => boolean {
  const [own = '', ...others] = [passage, ...passages].map(({ title = '', text }) => `${title} ${text}`);
  const found = passages.map(({ title = '', text }) => readWords(`${title} ${text}`));
  const isOften = (word: string): boolean =>
    2 * found.filter((text) => shareWritten(text, word) >= 0.5).length >= found.length;
  const isSubject = (word: string): boolean =>
    shareWritten(subject, word) === 1 && (shareWritten(subject.names, word) === 1 || isOften(word));
  const isPart = (word: string): boolean =>
    /^\p{Script=Han}$/u.test(word) && !own.includes(word) && isPartOnly(word, others);
  return (word) => isLight(word) || isSubject(word) || isPart(word);
}

/** Whether texts hold a lone character, and only beside others. */
function isPartOnly(character: string, texts: readonly string[]): boolean {
  const holding = texts.filter((text) => text.includes(character));
  const alone = new RegExp(`(?<!\\p{Script=Han})${character}(?!\\p{Script=Han})`, 'u');
  return holding.length > 0 && !holding.some((text) => alone.test(text));
}

/** As a lone character. */
const little = 0.2;

/** A lone character says little, a verb with one (取り, 渡す) less than a noun, and a word from abroad names a thing. */
function weightOf(word: string): number {
  if (/^\p{Script=Katakana}[\p{Script=Katakana}ー]{2,}$/u.test(word)) return 1.5;
  const characters = word.match(/\p{Script=Han}/gu)?.length ?? 0;
  if (characters !== 1) return 1;
  return word.length === 1 ? little : 0.5;
}
