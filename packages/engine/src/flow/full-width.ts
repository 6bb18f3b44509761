import type { SourceFile } from '../source/source-file.ts';

/** Characters that a Japanese or Chinese keyboard gives where YAML means another one. */
const meant: Readonly<Record<string, string>> = {
  '：': '":" and a space',
  '\u3000': 'plain spaces',
  '－': '"-" and a space',
  '、': '"," and a space',
  '，': '"," and a space',
  '｛': '"{"',
  '｝': '"}"',
  '［': '"["',
  '］': '"]"',
  '”': "a straight '\"'",
  '“': "a straight '\"'",
  '’': 'a straight "\'"',
  '‘': 'a straight "\'"',
  '」': "a straight '\"'",
  '「': "a straight '\"'",
};
const anyOfThem = new RegExp(`[${Object.keys(meant).join('')}]`, 'u');
const quotes = /["'][^\n]*[”“’‘]/u;

/**
 * What to write instead, where a line that is no YAML holds such a character; undefined where none is in it.
 *
 * @param start where the mistake is; a quote that is not closed is told at the end of the text, and is looked for from the beginning
 */
export function fullWidthHelp({ text }: SourceFile, start: number, isOpenQuote: boolean): string | undefined {
  const lines = text.split('\n');
  const number = isOpenQuote
    ? lines.findIndex((line) => quotes.test(line))
    : text.slice(0, start).split('\n').length - 1;
  const line = lines[number]?.replace(/\s#.*$/, '') ?? '';
  const [found] = (isOpenQuote ? /[”“’‘]/u : anyOfThem).exec(line) ?? [];
  if (found === undefined) return undefined;
  const name = found === '\u3000' ? 'a full-width space (U+3000)' : `"${found}"`;
  return `line ${number + 1} has ${name}: where it stands for YAML, write ${meant[found]}`;
}

/** The text as it reads with the usual characters: `＄｛inputs.x｝` is `${inputs.x}`, `。` between words a point. */
export function withUsualWidth(text: string): string {
  return text.normalize('NFKC').replaceAll('。', '.');
}
