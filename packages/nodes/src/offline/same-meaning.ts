import { foldedText, isJapaneseWord } from './content-words.ts';
import { rootOf } from './root-of.ts';
import { english, inBothScripts, japanese } from './same-meaning-words.ts';

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

/** How else a Japanese text may write words of a question: Cookie for クッキー, ダイレクトメール for DM. */
export function inOtherScript(words: Iterable<string>): readonly string[] {
  const asked = new Set(words);
  return groupsOf(inBothScripts).flatMap((group) => {
    const given = group.find((word) => asked.has(asCompared(word)));
    return given === undefined ? [] : group.filter((word) => isJapaneseWord(word) !== isJapaneseWord(given));
  });
}
