import { lineStart, lineText, placeOf, type SourceFile } from '../source/source-file.ts';

/** What the library says of a text that is no YAML, in words of those who write flows; undefined where its own are plain. */
export interface YamlMistake {
  readonly message: string;
  readonly help?: string;
}

interface PlainWords extends YamlMistake {
  readonly said: RegExp;
}

const secondColon: YamlMistake = {
  message: 'a second ":" makes a key of this text',
  help: 'put a text that holds ": " in quotes; begin a key below the keys beside it',
};

const tabIndents: YamlMistake = { message: 'a tab indents this line', help: 'indent with spaces' };

const words: readonly PlainWords[] = [
  { said: /^Nested mappings are not allowed/, ...secondColon },
  {
    said: /^All mapping items must start/,
    message: 'this key does not begin below those beside it',
    help: 'keys of one mapping begin in the same column',
  },
  { said: /^Tabs are not allowed/, ...tabIndents },
];

/** What is said of a line that is no key, where one is due. */
const noKey: Readonly<Record<string, string>> = {
  'Implicit keys need to be on a single line': 'a key ends on its line, with ":"',
  'Implicit map keys need to be followed by map values': 'no ":" ends this key',
};

export function yamlMistake(said: string, file: SourceFile, start: number): YamlMistake | undefined {
  const [, character] = /^Plain value cannot start with .* character (\S)$/.exec(said) ?? [];
  if (character !== undefined) {
    return { message: `a text cannot begin with ${character}`, help: 'put the text in quotes' };
  }
  if (isTabInText(said, file, start)) return tabIndents;
  const reference = start === 0 ? undefined : /^\$\{[^{}\n]+\}/.exec(file.text.slice(start - 1))?.[0];
  if (reference !== undefined)
    return { message: said, help: `between brackets a reference stands in quotes: "${reference}"` };
  if (said.startsWith('Block collections are not allowed within flow')) return betweenBrackets(file, start);
  const message = noKey[said];
  if (message === undefined) return words.find((plain) => plain.said.test(said));
  const help = endedText(file, start);
  return { message, ...(help === undefined ? {} : { help }) };
}

/** Whether a tab stands before the first line of a text with "|" or ">", of which the library says something else. */
export function isTabInText(said: string, file: SourceFile, start: number): boolean {
  return said.startsWith('Block scalar') && /^ *\t/.test(file.text.slice(lineStart(file, start), start + 100));
}

/** A key, or the dash of a list, where everything stands in brackets. */
function betweenBrackets(file: SourceFile, start: number): YamlMistake {
  if (/^[^,[\]{}\n]+:\s/.test(file.text.slice(start, start + 1_000))) return secondColon;
  return { message: 'a list or mapping between brackets has brackets too', help: 'write [a, b] or {a: 1}' };
}

/** Somebody's lines of a text with "|" or ">", the first of which further left ended it. */
function endedText(file: SourceFile, start: number): string | undefined {
  const { line } = placeOf(file, lineStart(file, start));
  const indent = indentOf(lineText(file, line));
  let inside = Number.POSITIVE_INFINITY;
  for (let above = line - 1; above > 0; above -= 1) {
    const text = lineText(file, above);
    if (text.trim() === '') continue;
    const [, dashes, key] = /^(\s*(?:- +)*)([^\s#:][^:]*): *[|>][-+\d]* *$/.exec(text) ?? [];
    if (
      dashes !== undefined &&
      dashes.length < inside &&
      indent <= dashes.length &&
      inside < Number.POSITIVE_INFINITY
    ) {
      return `the text that begins on line ${above} ends here: all its lines stand further right than "${key}"`;
    }
    inside = Math.min(inside, indentOf(text));
    if (inside <= indent) return undefined;
  }
  return undefined;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
