import { once } from '../value/once.ts';

/** Python's textwrap.wrap(text, expand_tabs=False, replace_whitespace=False). */
export function wrapText(text: string, width: number, breakLongWords: boolean, breakOnHyphens: boolean): string[] {
  const chunks = splitChunks(text, breakOnHyphens).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    const line: string[] = [];
    let size = 0;
    if ((chunks.at(-1) ?? '').trim() === '' && lines.length > 0) chunks.pop();
    while (chunks.length > 0) {
      const chunk = chunks.at(-1) ?? '';
      if (size + chunk.length > width) break;
      line.push(chunk);
      size += chunk.length;
      chunks.pop();
    }
    if (chunks.length > 0 && (chunks.at(-1) ?? '').length > width) {
      breakChunk(chunks, line, width - line.join('').length, width, breakLongWords, breakOnHyphens);
    }
    if (line.length > 0 && (line.at(-1) ?? '').trim() === '') line.pop();
    if (line.length > 0) lines.push(line.join(''));
  }
  return lines;
}

function breakChunk(
  chunks: string[],
  line: string[],
  left: number,
  width: number,
  breakLongWords: boolean,
  breakOnHyphens: boolean,
): void {
  const space = width < 1 ? 1 : left;
  if (breakLongWords) {
    const chunk = chunks.pop() ?? '';
    let end = space;
    if (breakOnHyphens && chunk.length > space) {
      const hyphen = chunk.slice(0, space).lastIndexOf('-');
      if (hyphen > 0 && /[^-]/.test(chunk.slice(0, hyphen))) end = hyphen + 1;
    }
    line.push(chunk.slice(0, end));
    chunks.push(chunk.slice(end));
    if (chunks.at(-1) === '') chunks.pop();
  } else if (line.length === 0) line.push(chunks.pop() ?? '');
}

const wordPunctuation = '[\\w!"\'&.,?]';
const letter = '[^\\d\\W]';
const hyphenated = once(
  () =>
    new RegExp(
      `([\\t-\\r ]+|(?<=${wordPunctuation})-{2,}(?=\\w)|[^\\t-\\r ](?:(?:[^\\t-\\r ]*?)(?:-(?:(?<=${letter}{2}-)|(?<=${letter}-${letter}-))(?=${letter}-?${letter})|(?=[\\t-\\r ]|$)|(?<=${wordPunctuation})(?=-{2,}\\w))))`,
      'u',
    ),
);

function splitChunks(text: string, breakOnHyphens: boolean): string[] {
  const pattern = breakOnHyphens ? hyphenated() : /([\t-\r ]+)/;
  return text.split(pattern).filter((chunk) => chunk !== '' && chunk !== undefined);
}
