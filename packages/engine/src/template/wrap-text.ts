import { characters, textLength } from './python-values.ts';
import { raise } from './template-error.ts';
import { isSpace, strip } from './text-functions.ts';

/** Characters of a piece of the text, from which the first may have been taken. */
interface Chunk {
  readonly characters: readonly string[];
  from: number;
}

/** Python's textwrap.wrap(text, expand_tabs=False, replace_whitespace=False). Each character is looked at a few times. */
export function wrapText(text: string, width: number, breakLongWords: boolean, breakOnHyphens: boolean): string[] {
  if (width <= 0) raise('ValueError', `invalid width ${width} (must be > 0)`);
  const chunks = splitChunks(text, breakOnHyphens).reverse().map(chunkOf);
  const lines: string[] = [];
  while (chunks.length > 0) {
    const line: string[] = [];
    let size = 0;
    if (lines.length > 0 && isBlank(chunks.at(-1))) chunks.pop();
    for (let chunk = chunks.at(-1); chunk !== undefined && size + left(chunk) <= width; chunk = chunks.at(-1)) {
      line.push(take(chunk, left(chunk)));
      size += textLength(line.at(-1) as string);
      chunks.pop();
    }
    const next = chunks.at(-1);
    if (next !== undefined && left(next) > width && (breakLongWords || line.length === 0)) {
      line.push(take(next, breakLongWords ? breakAt(next, width - size, breakOnHyphens) : left(next)));
      if (left(next) === 0) chunks.pop();
    }
    if (line.length > 0 && strip(line.at(-1) as string, null) === '') line.pop();
    if (line.length > 0) lines.push(line.join(''));
  }
  return lines;
}

function chunkOf(text: string): Chunk {
  return { characters: characters(text), from: 0 };
}

function left({ characters: all, from }: Chunk): number {
  return all.length - from;
}

function take(chunk: Chunk, count: number): string {
  const taken = chunk.characters.slice(chunk.from, chunk.from + count).join('');
  chunk.from += count;
  return taken;
}

/** Whether `str.strip` leaves nothing of it. */
function isBlank(chunk: Chunk | undefined): boolean {
  if (chunk === undefined) return true;
  for (let at = chunk.from; at < chunk.characters.length; at += 1) {
    if (!isSpace.test(chunk.characters[at] as string)) return false;
  }
  return true;
}

/** How many characters of a word that is wider than a line go into the space that is left on it. */
function breakAt(chunk: Chunk, space: number, breakOnHyphens: boolean): number {
  if (!breakOnHyphens) return space;
  const part = chunk.characters.slice(chunk.from, chunk.from + space);
  const hyphen = part.lastIndexOf('-');
  return hyphen > 0 && part.slice(0, hyphen).some((one) => one !== '-') ? hyphen + 1 : space;
}

const word = '\\p{L}\\p{N}_';
const wordPunctuation = `[${word}!"'&.,?]`;
const letter = '[\\p{L}\\p{Nl}\\p{No}_]';
const hyphenated = new RegExp(
  `([\\t-\\r ]+|(?<=${wordPunctuation})-{2,}(?=[${word}])|[^\\t-\\r ](?:(?:[^\\t-\\r ]*?)(?:-(?:(?<=${letter}{2}-)|(?<=${letter}-${letter}-))(?=${letter}-?${letter})|(?=[\\t-\\r ]|$)|(?<=${wordPunctuation})(?=-{2,}[${word}]))))`,
  'u',
);

function splitChunks(text: string, breakOnHyphens: boolean): string[] {
  const pattern = breakOnHyphens ? hyphenated : /([\t-\r ]+)/;
  return text.split(pattern).filter((chunk) => chunk !== '' && chunk !== undefined);
}
