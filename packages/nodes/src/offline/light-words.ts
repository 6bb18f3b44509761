import { foldedText, isJapaneseWord } from './content-words.ts';
import { rootOf } from './root-of.ts';

/** Whether a question on anything may hold a word: it says little of what is asked for. */
export function isLight(word: string): boolean {
  return lightWords.has(word);
}

const english = `
  happen count take took taken go goes going went gone come came want wish like let put see seen saw look find found think thought
  feel try seem become became able allowed supposed bring show
  thing stuff kind sort type way example matter issue problem situation lot bit place point fact idea folk
  someone somebody anyone anybody everyone everybody something anything everything nothing nobody one other another else
  ok okay just only even still ever never always sometimes usually already yet too very really actually exactly properly simply
  again such certain possible good bad best better now then today here back up out off down over before after until till during
  while since through about into onto upon within between per via whether
  he she him her his they them us am been being were
  own full fully last dont didnt doesnt isnt cant wont don't didn't doesn't isn't can't won't i'm we're
  data info information details detail
`;

const japanese = `
  問題 大丈夫 可能 普通 一般 本当 実際 今 今後 全部 全て 全員 一部 最初 最後 弊社 当社 御社 私 僕 俺 皆 関係 ケース 注意 注意点 該当 指し 指す ダメ 合法 法的
  思い 思う 思っ 考え 言わ 言う 言い 言っ 行う 行わ 行い 行っ 出す 出さ 出し 来る 入れ 入る 持つ 持っ 付け 受け 起き 起こっ 取る 取っ 取り 聞き 聞い 見 見る
  情報 データ
`;

const lightWords: ReadonlySet<string> = new Set(
  `${english} ${japanese}`
    .trim()
    .split(/\s+/u)
    .map((word) => (isJapaneseWord(word) ? foldedText(word) : rootOf(word))),
);
