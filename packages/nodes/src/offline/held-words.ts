import { foldedText, isJapaneseWord, meaningfulWords } from './content-words.ts';

/** The meaning of, the conditions for, how long, how often: as stems. */
export const asking: ReadonlySet<string> = new Set(
  '意味 条件 定義 気 必ず 間隔 頻度 mean condition definition long old often soon'.split(' '),
);

/** A text as words are looked for in it. */
export interface TextWords {
  readonly words: ReadonlySet<string>;
  readonly letters: string;
}

export function readWords(text: string): TextWords {
  return { words: meaningfulWords(text), letters: foldedText(text) };
}

/**
 * 1 where a text has the word, less where it has part of it: two letters of a Japanese compound that stand together. Those of
 * its ending alone (とし of 落とし) stand anywhere; 再委託先 is another than 委託先.
 */
export function shareHeld({ words, letters }: TextWords, word: string): number {
  if (words.has(word) || (isJapaneseWord(word) && standsIn(letters, word))) return 1;
  if (!isJapaneseWord(word) || word.length < 3) return 0;
  if (letters.includes(word)) return 0.5;
  const pairs = Array.from(word)
    .slice(1)
    .map((letter, at) => `${Array.from(word)[at]}${letter}`);
  const held = pairs.filter((pair) => !/^\p{Script=Hiragana}+$/u.test(pair) && letters.includes(pair)).length;
  return held / pairs.length;
}

function standsIn(letters: string, word: string): boolean {
  return letters.split(word).some((before, at, parts) => at < parts.length - 1 && !/[再未非不無]$/u.test(before));
}
