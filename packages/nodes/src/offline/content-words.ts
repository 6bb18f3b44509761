import { keepReadings } from './kept-readings.ts';
import { rootOf } from './root-of.ts';

/**
 * The words of a text that carry its meaning, whole: Japanese ones as they are written, compounds of Chinese characters in one
 * (個人情報保護法), stems of others.
 */
export function meaningfulWords(text: string): ReadonlySet<string> {
  return new Set(wordsAsWritten(text).keys());
}

/** The same, each with how the text writes it but for width and case. */
export const wordsAsWritten = keepReadings((text): ReadonlyMap<string, string> => {
  const folded = foldedText(text);
  const found = new Map<string, string>();
  let compound = '';
  const close = (): void => {
    if (compound !== '' && !stopWords.has(compound) && !isAskedFor.test(compound)) found.set(compound, compound);
    compound = '';
  };
  for (const { segment, isWordLike } of segmenter().segment(folded)) {
    const isHan = /^\p{Script=Han}+$/u.test(segment);
    if (isHan) compound += segment;
    else close();
    if (isHan || isWordLike !== true || stopWords.has(segment.replace(/['’]s$/u, ''))) continue;
    if (!japanese.test(segment)) found.set(rootOf(segment), segment);
    else if (!/^\p{Script=Hiragana}+$/u.test(segment)) found.set(segment, segment);
  }
  close();
  return found;
});

/** 何日, 何名: what an answer has in its place. */
const isAskedFor = /^[何幾]/u;

/** Width, case, thousands (千人, 1,000), 具体的に before what only asks, and the long sound at the end of words such as サーバー folded. */
export function foldedText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d{3})/gu, '')
    .replaceAll(/(?<![\p{Script=Han}\d])一?千(?=[人件名円])/gu, '1000')
    .replaceAll(/\be-mail/gu, 'email')
    .replaceAll('下さい', 'ください')
    .replaceAll(/具体的に(?=何|どんな|どう|どの)/gu, '')
    .replaceAll(/(\p{Script=Katakana}[\p{Script=Katakana}ー]{2,})ー(?![\p{Script=Katakana}ー])/gu, '$1');
}

export function isJapaneseWord(word: string): boolean {
  return japanese.test(word);
}

/**
 * The words of a text that carry its meaning: character bigrams of Japanese words, lower-case stems of others, without
 * function words. The stand-in compares texts by them; it knows nothing else of language.
 */
export function contentWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter().segment(foldedText(text))) {
    if (isWordLike !== true || stopWords.has(segment)) continue;
    if (!japanese.test(segment)) words.add(stem(segment));
    else if (!/^\p{Script=Hiragana}+$/u.test(segment)) for (const part of bigrams(segment)) words.add(part);
  }
  return words;
}

let words: Intl.Segmenter | undefined;

/** Made when first wanted: it is slow to make. */
function segmenter(): Intl.Segmenter {
  words ??= new Intl.Segmenter('ja', { granularity: 'word' });
  return words;
}
const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const stopWords: ReadonlySet<string> = new Set(
  (
    'a also an and are as at be because but by can could did do does for from had has have how i if in into is it its may me must my need no not of on or our shall should so ' +
    'than that the their them then there these they this those to us was we were what when where which who whom whose why will with would you your about any ' +
    'each every many much get gets got give given gives giving say says under without please tell know explain 場合 必要 方法 何 教え 教えて 下さい 質問 時 際 人 物 者 等 的 内容 具体 説明 に当たります に当たり に当たる 当たります'
  ).split(' '),
);

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(ies|ing|ed|es|s)$/, '') : word;
}

function bigrams(word: string): readonly string[] {
  const letters = Array.from(word);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}
