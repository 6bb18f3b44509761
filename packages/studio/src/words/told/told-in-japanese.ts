import { flowsJapanese } from './flows-japanese.ts';
import { nodesJapanese } from './nodes-japanese.ts';
import { recordsJapanese } from './records-japanese.ts';
import { servicesJapanese } from './services-japanese.ts';
import { studioJapanese } from './studio-japanese.ts';

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
};

interface Pattern {
  /** What stands before, between and behind the values. */
  readonly fixed: readonly string[];
  readonly japanese: string;
}

/** Those that say more come first: `run {} has no row {} that ended` before `run {} has no row {}`. */
const patterns: readonly Pattern[] = Object.entries(toldSentences)
  .map(([english, japanese]) => ({ fixed: english.split('{}'), japanese }))
  .toSorted((one, other) => other.fixed.join('').length - one.fixed.join('').length);

/** Of a longer text it is what a service said. */
const longest = 20_000;

/** The Japanese of what Unroll itself says; undefined where it does not know the sentence. */
export function toldInJapanese(text: string): string | undefined {
  if (text.length > longest) return undefined;
  for (const { fixed, japanese } of patterns) {
    const values = valuesBetween(text, fixed);
    if (values === undefined) continue;
    return japanese.replaceAll(/\{(\d)(\*?)\}/g, (_, place: string, isOurs: string) => {
      const value = values[Number(place) - 1] ?? '';
      return isOurs === '' ? value : (toldInJapanese(value) ?? value);
    });
  }
  return undefined;
}

/** A sentence, or one with what to do behind it, in Japanese; any other text as it is. */
export function anyTextInJapanese(text: string): string {
  for (const { index } of text.slice(0, longest).matchAll(/\. /g)) {
    const [told, help] = [text.slice(0, index), text.slice(index + 2)].map(toldInJapanese);
    if (told !== undefined && help !== undefined) return `${told}。${help}`;
  }
  return toldInJapanese(text) ?? text;
}

const ends: Readonly<Record<string, string>> = {
  completed: '完了',
  failed: '失敗',
  canceled: '中止',
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

/** The values between the fixed parts of a sentence, each as short as can be but the last. */
function valuesBetween(text: string, fixed: readonly string[]): readonly string[] | undefined {
  const [start = '', ...others] = fixed;
  const end = others.pop();
  if (end === undefined) return text === start ? [] : undefined;
  if (!text.startsWith(start) || !text.endsWith(end)) return undefined;
  const values: string[] = [];
  let from = start.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at === -1) return undefined;
    values.push(text.slice(from, at));
    from = at + part.length;
  }
  const last = text.length - end.length;
  return from > last ? undefined : [...values, text.slice(from, last)];
}
