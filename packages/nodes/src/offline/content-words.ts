/**
 * The words of a text that carry its meaning: character bigrams of Japanese words, lower-case stems of others, without
 * function words. The stand-in compares texts by them; it knows nothing else of language.
 */
export function contentWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { segment, isWordLike } of segmenter().segment(text.normalize('NFKC').toLowerCase())) {
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
    'a an and are as at be by can could did do does for from had has have how i if in into is it its may me must my need no not of on or our shall should so ' +
    'than that the their them then there these they this those to us was we were what when where which who whom whose why will with would you your about any ' +
    'each every please tell know explain 場合 必要 方法 何 教え 教えて 下さい 質問 時 際 人 物 者 等 的 内容 具体 説明'
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
