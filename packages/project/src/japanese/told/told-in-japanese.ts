import { flowsJapanese } from './flows-japanese.ts';
import { nodesJapanese } from './nodes-japanese.ts';
import { recordsJapanese } from './records-japanese.ts';
import { sentenceTeller } from './sentence-teller.ts';
import { servicesJapanese } from './services-japanese.ts';
import { studioJapanese } from './studio-japanese.ts';
import { warningsJapanese } from './warnings-japanese.ts';

/**
 * What Unroll says in English, `{}` where a value stands, with the Japanese of it: `{1}` is the first of those values, as it
 * came; `{1*}` may be one of these sentences itself.
 */
export const toldSentences: Readonly<Record<string, string>> = {
  ...nodesJapanese,
  ...servicesJapanese,
  ...flowsJapanese,
  ...recordsJapanese,
  ...studioJapanese,
  ...warningsJapanese,
};

/** What SQLite says of the file of a record. */
const wordsOfSqlite: Readonly<Record<string, string>> = {
  'database disk image is malformed': 'データベースの内容が壊れています',
  'file is not a database': 'データベースのファイルではありません',
  'disk I/O error': 'ディスクの読み書きに失敗しました',
  'database or disk is full': 'ディスクの空きがありません',
  'attempt to write a readonly database': 'データベースが読み取り専用です',
};

const known = { ...toldSentences, ...wordsOfSqlite };

/** The Japanese of what Unroll itself says; undefined where it does not know the sentence. */
export const toldInJapanese: (text: string) => string | undefined = sentenceTeller(known, (value) =>
  toldInJapanese(value),
);

/** Code and services may speak too: `customer 42 has no data` is theirs as well as ours. */
const leastLetters = 14;

const tellSure = sentenceTeller(known, toldInJapanese, leastLetters);

/** The same of what nobody but Unroll says, where a sentence as short as `there is no run {}` is known too. */
export function ownTextInJapanese(text: string): string {
  return withHelpInJapanese(text, toldInJapanese) ?? toldInJapanese(text) ?? anyTextInJapanese(text);
}

/** A sentence, or one with what to do behind it, in Japanese; any other text as it is, which code or a service may have said. */
export function anyTextInJapanese(text: string): string {
  const [, place = '', said = ''] = /^(\S+:\d+(?::\d+)?: )?(.*)$/s.exec(text) ?? [];
  // With a place before it, or with what to do behind it, it is nobody else's.
  const told = place === '' ? tellSure(said) : toldInJapanese(said);
  return `${place}${withHelpInJapanese(said, toldInJapanese) ?? told ?? said}`;
}

/** Places where a sentence may end that are looked at. */
const mostEnds = 20;

/** A sentence with what to do behind it; undefined where it is not both that are known. */
export function withHelpInJapanese(
  text: string,
  tellOne: (sentence: string) => string | undefined,
): string | undefined {
  for (const { index } of text.matchAll(/\. /g).take(mostEnds)) {
    const [told, help] = [text.slice(0, index), text.slice(index + 2)].map(tellOne);
    if (told !== undefined && help !== undefined) return `${told}。${help}`;
  }
  return undefined;
}

const ends: Readonly<Record<string, string>> = {
  completed: '完了',
  failed: '失敗',
  canceled: '中止',
  stopped: '停止',
  'not ended': '未完了',
};

/** How a row ended, or a try of a node: `failed: NodeTimeout: node …`. */
export function endInJapanese(text: string): string {
  const [, end, code, message] = /^(?:([a-z ]+)(?:: |$))?(?:(\w+): (.*))?$/s.exec(text) ?? [];
  const said = [
    ...(end === undefined ? [] : [ends[end] ?? end]),
    ...(code === undefined || message === undefined ? [] : [code, anyTextInJapanese(message)]),
  ];
  return said.length === 0 ? text : said.join('：');
}
