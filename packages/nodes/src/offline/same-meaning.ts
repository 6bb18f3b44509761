import { foldedText, isJapaneseWord, wordsAsWritten } from './content-words.ts';
import { rootOf } from './root-of.ts';
import { english } from './same-meaning-english.ts';
import { inBothScripts, japanese } from './same-meaning-japanese.ts';

/**
 * A word as the first of those that say the same in everyday business: company for firm, 顧客 for お客. Of a compound of Chinese
 * characters each part is (社員名簿, 従業員名簿).
 *
 * @param word as texts are compared by it: the root of an English one
 */
export function inSharedWord(word: string): string {
  const own = shared.get(word) ?? verbs.get(word.replace(/\p{Script=Hiragana}+$/u, ''));
  if (own !== undefined) return own;
  return /^\p{Script=Han}{3,}$/u.test(word) ? word.replace(compounded, (part) => shared.get(part) ?? part) : word;
}

function groupsOf(table: string): readonly (readonly string[])[] {
  const lines = table.trim().split('\n');
  return lines.map((line) => line.trim().split(' '));
}

/** A word as texts are compared by it. */
function asCompared(word: string): string {
  return isJapaneseWord(word) ? foldedText(word) : rootOf(word);
}

/** Each word with the first of its group. */
const members = [english, japanese, inBothScripts]
  .flatMap(groupsOf)
  .flatMap((group) => group.map((word) => [asCompared(word), group[0] ?? word] as const));

const shared: ReadonlyMap<string, string> = new Map(members);

/** Of verbs (渡す) what stands before their ending. */
const verbs: ReadonlyMap<string, string> = new Map(
  members
    .filter(([word]) => /^\p{Script=Han}+\p{Script=Hiragana}+$/u.test(word))
    .map(([word, first]) => [word.replace(/\p{Script=Hiragana}+$/u, ''), first]),
);

/** Of a compound the longest member that stands in it. */
const compounded = new RegExp(
  [...shared.keys()]
    .filter((word) => /^\p{Script=Han}{2,}$/u.test(word))
    .sort((left, right) => right.length - left.length)
    .join('|'),
  'gu',
);

/**
 * What else a text may say for the words of a question: Cookie for クッキー, leak for a breach, also in the form that stands in its
 * group: leak for leaked. For an English question in English.
 */
export function inOtherWords(question: string): readonly string[] {
  const asked = wordsAsWritten(question);
  const written = new Set(asked.values());
  const isEnglish = ![...written].some(isJapaneseWord);
  const wanted = new Set([...asked.keys()].map(inSharedWord));
  return [english, japanese, inBothScripts]
    .flatMap(groupsOf)
    .filter(([first = '']) => wanted.has(first))
    .flat()
    .concat([...written].flatMap(inOtherSpelling))
    .filter((word) => !written.has(foldedText(word)) && !(isEnglish && isJapaneseWord(word)));
}

/** anonymised for anonymized and the other way round; none for words that have one spelling: advise, exercise, surprised. */
function inOtherSpelling(word: string): readonly string[] {
  const [, start, letter, end] =
    /^(\w{4,}(?<!v|w|pr|rc|ert|ch|prom|ra)i)([sz])(e[ds]?|ers?|ing|ations?)$/u.exec(word) ?? [];
  return letter === undefined ? [] : [`${start}${letter === 's' ? 'z' : 's'}${end}`];
}
