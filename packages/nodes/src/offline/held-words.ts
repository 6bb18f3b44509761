import { foldedText, isJapaneseWord, meaningfulWords } from './content-words.ts';
import { keepReadings } from './kept-readings.ts';
import { rootOf } from './root-of.ts';
import { inSharedWord } from './same-meaning.ts';

/** The meaning of, the conditions for, how long, how often: as roots. */
export const asking: ReadonlySet<string> = new Set(
  '意味 条件 定義 気 必ず 間隔 頻度 mean condition definition long old often soon deadline 期限'.split(' ').map(rootOf),
);

/** Whether a question, or the title of an entry, asks what something is. */
export function asksMeaning(question: string): boolean {
  return /(?<!こ)とは(?:何|どう|どんな|[?？。]|$)|って何|定義|^what(?:'s| is| are) (?!the )|\b(?:definition|define|mean)\b/iu.test(
    question,
  );
}

/** A text as words are looked for in it. */
export interface TextWords extends WrittenWords {
  /** The same, of words that say the same always the same one. */
  readonly shared: WrittenWords;
  /** The names in it. */
  readonly names: WrittenWords;
}

interface WrittenWords {
  readonly words: ReadonlySet<string>;
  readonly letters: string;
}

export const readWords = keepReadings((text): TextWords => {
  const words = meaningfulWords(text);
  const shared = new Set([...words].map(inSharedWord));
  return {
    words,
    letters: foldedText(text),
    shared: { words: shared, letters: [...shared].join(' ') },
    names: namesIn(text),
  };
});

/** Capitals alone (IP, VAT) name one thing, and no other words say it. */
export function capitalsIn(text: string): ReadonlySet<string> {
  return meaningfulWords((text.match(/\b\p{Lu}{2,}\b/gu) ?? []).join(' '));
}

/** What begins with a capital within a sentence (the Parcel Act), and what stands in brackets as a name: (個人情報保護法). */
function namesIn(text: string): WrittenWords {
  const names = text.match(/(?<=[\p{Ll},] )\p{Lu}\p{Ll}+|(?<=[(（])\p{Script=Han}+(?=[)）])/gu) ?? [];
  const letters = names.join(' ');
  return { words: new Set([...meaningfulWords(letters), ...capitalsIn(text)]), letters };
}

/** What a word counts that a text says in another word of the same meaning. */
const inOtherWords = 0.85;

/** 1 where a text has the word, less where it has another of the same meaning, or a part of it: of another most of it. */
export function shareHeld(text: TextWords, word: string): number {
  const written = shareWritten(text, word);
  if (written === 1) return 1;
  const shared = shareWritten(text.shared, inSharedWord(word));
  return shared > 0.5 ? Math.max(written, inOtherWords * shared) : written;
}

/**
 * 1 where a text has the word, less where it has part of it: two letters of a Japanese compound that stand together. Those of
 * its ending alone (とし of 落とし) stand anywhere; 再委託先 is another than 委託先.
 */
export function shareWritten({ words, letters }: WrittenWords, word: string): number {
  if (words.has(word) || (isJapaneseWord(word) && standsIn(letters, word))) return 1;
  if (!isJapaneseWord(word) || word.length < 3) return 0;
  if (letters.includes(word)) return 0.5;
  const pairs = Array.from(word)
    .slice(1)
    .map((letter, at) => `${Array.from(word)[at]}${letter}`);
  const held = pairs.filter((pair) => !/^\p{Script=Hiragana}+$/u.test(pair) && letters.includes(pair)).length;
  const [first = ''] = pairs;
  return letters.includes(first) ? held / pairs.length : Math.min(0.5, held / pairs.length);
}

function standsIn(letters: string, word: string): boolean {
  return letters.split(word).some((before, at, parts) => at < parts.length - 1 && !/[再未非不無]$/u.test(before));
}

/** How far a text holds a word: half where it has it only as the head of another, unless the question has too. */
export function holdingOf(question: string, wanted: readonly string[]): (text: TextWords, word: string) => number {
  const letters = foldedText(question);
  const heads = new Set(wanted.filter((word) => isHeadOfOthers(letters, word)));
  return (text, word) => (!heads.has(word) && isHeadOfOthers(text.letters, word) ? 0.5 : shareHeld(text, word));
}

/** Whether a word of Chinese characters stands in a text, and only as the head of one that goes on in letters for words from abroad. */
function isHeadOfOthers(letters: string, word: string): boolean {
  const following = letters.split(word).slice(1);
  return (
    /\p{Script=Han}$/u.test(word) &&
    following.length > 0 &&
    following.every((after) => /^\p{Script=Katakana}/u.test(after))
  );
}
