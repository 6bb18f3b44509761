import { sentenceTeller } from '../told/sentence-teller.ts';
import { evalMistakesJapanese } from './eval-mistakes-japanese.ts';
import { fileMistakesJapanese } from './file-mistakes-japanese.ts';
import { flowMistakesJapanese } from './flow-mistakes-japanese.ts';
import { loopMistakesJapanese } from './loop-mistakes-japanese.ts';
import { nodeMistakesJapanese } from './node-mistakes-japanese.ts';

/** What `flow check` says of flows and evaluations, as `toldSentences` has what failures say. */
export const mistakeSentences: Readonly<Record<string, string>> = {
  ...evalMistakesJapanese,
  ...fileMistakesJapanese,
  ...flowMistakesJapanese,
  ...loopMistakesJapanese,
  ...nodeMistakesJapanese,
};

const tellPart = sentenceTeller(mistakeSentences, (value) => tellPart(value));

/** `{} of {}` is part of a mistake; alone, it is in what a parser says. */
const leastLetters = 4;

const tell = sentenceTeller(mistakeSentences, tellPart, leastLetters);

/** A mistake, or what to do about it: `unknown key "promt"`, with its place before it or alone. */
export function mistakeInJapanese(text: string): string {
  const [, place = '', said = ''] = /^(\S+:\d+: )?(.*)$/s.exec(text) ?? [];
  return `${place}${tell(said) ?? said}`;
}

const severities: Readonly<Record<string, string>> = { error: 'エラー', warning: '警告', help: 'ヒント', note: '補足' };

/** All mistakes of a flow as `flow check` prints them, line by line; the lines of the file stay as they are. */
export function mistakesInJapanese(text: string): string {
  return text.split('\n').map(lineInJapanese).join('\n');
}

function lineInJapanese(line: string): string {
  const [, place = '', severity = '', code, said = ''] =
    /^(\S+:\d+:\d+ )?(error|warning) ([A-Z_]+) (.*)$/.exec(line) ?? [];
  if (code !== undefined) return `${place}${severities[severity]} ${code} ${mistakeInJapanese(said)}`;
  const [, before, mark = '', advice = ''] = /^( {4}(?:\S+:\d+:\d+ )?)(help|note): (.*)$/.exec(line) ?? [];
  if (before !== undefined) return `${before}${severities[mark]}：${mistakeInJapanese(advice)}`;
  if (!/^\d+ (error|warning)s?\b/.test(line)) return mistakeInJapanese(line);
  return line.replace(/^(?:(\d+) errors?)?(?:, )?(?:(\d+) warnings?)?$/, (_, errors?: string, warnings?: string) =>
    [errors === undefined ? '' : `エラー ${errors} 件`, warnings === undefined ? '' : `警告 ${warnings} 件`]
      .filter((part) => part !== '')
      .join('、'),
  );
}
