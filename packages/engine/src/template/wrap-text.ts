import { once } from '../value/once.ts';
import { characters, textLength } from './python-values.ts';
import { raise } from './template-error.ts';
import { strip } from './text-functions.ts';

/** Python's textwrap.wrap(text, expand_tabs=False, replace_whitespace=False). */
export function wrapText(text: string, width: number, breakLongWords: boolean, breakOnHyphens: boolean): string[] {
  if (width <= 0) raise('ValueError', `invalid width ${width} (must be > 0)`);
  const chunks = splitChunks(text, breakOnHyphens).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    const line: string[] = [];
    let size = 0;
    if (isBlank(chunks.at(-1)) && lines.length > 0) chunks.pop();
    while (chunks.length > 0) {
      const chunk = chunks.at(-1) ?? '';
      if (size + textLength(chunk) > width) break;
      line.push(chunk);
      size += textLength(chunk);
      chunks.pop();
    }
    if (chunks.length > 0 && textLength(chunks.at(-1) ?? '') > width) {
      breakChunk(chunks, line, width - size, breakLongWords, breakOnHyphens);
    }
    if (line.length > 0 && isBlank(line.at(-1))) line.pop();
    if (line.length > 0) lines.push(line.join(''));
  }
  return lines;
}

/** What `str.strip` leaves nothing of. */
function isBlank(chunk = ''): boolean {
  return strip(chunk, null) === '';
}

function breakChunk(
  chunks: string[],
  line: string[],
  space: number,
  breakLongWords: boolean,
  breakOnHyphens: boolean,
): void {
  if (breakLongWords) {
    const chunk = characters(chunks.pop() ?? '');
    let end = space;
    if (breakOnHyphens && chunk.length > space) {
      const hyphen = chunk.slice(0, space).lastIndexOf('-');
      if (hyphen > 0 && chunk.slice(0, hyphen).some((one) => one !== '-')) end = hyphen + 1;
    }
    line.push(chunk.slice(0, end).join(''));
    chunks.push(chunk.slice(end).join(''));
    if (chunks.at(-1) === '') chunks.pop();
  } else if (line.length === 0) line.push(chunks.pop() ?? '');
}

const word = '\\p{L}\\p{N}_';
const wordPunctuation = `[${word}!"'&.,?]`;
const letter = '[\\p{L}\\p{Nl}\\p{No}_]';
const hyphenated = once(
  () =>
    new RegExp(
      `([\\t-\\r ]+|(?<=${wordPunctuation})-{2,}(?=[${word}])|[^\\t-\\r ](?:(?:[^\\t-\\r ]*?)(?:-(?:(?<=${letter}{2}-)|(?<=${letter}-${letter}-))(?=${letter}-?${letter})|(?=[\\t-\\r ]|$)|(?<=${wordPunctuation})(?=-{2,}[${word}]))))`,
      'u',
    ),
);

function splitChunks(text: string, breakOnHyphens: boolean): string[] {
  const pattern = breakOnHyphens ? hyphenated() : /([\t-\r ]+)/;
  return text.split(pattern).filter((chunk) => chunk !== '' && chunk !== undefined);
}
