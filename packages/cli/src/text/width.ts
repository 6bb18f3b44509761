import stringWidth from 'string-width';

/** Width of a text in cells of a terminal: 2 for a Japanese character, 0 for a combining mark or a colour code. */
export function textWidth(text: string): number {
  return isPlainAscii.test(text) ? text.length : stringWidth(text);
}

const isPlainAscii = /^[\x20-\x7e]*$/;

/** The text cut to at most `width` cells, with `…` where something was left out. */
export function fitWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let fitting = '';
  let used = 1;
  for (const { segment } of new Intl.Segmenter('ja', { granularity: 'grapheme' }).segment(text)) {
    used += textWidth(segment);
    if (used > width) break;
    fitting += segment;
  }
  return `${fitting}…`;
}

/** The text with blanks behind it up to `width` cells. */
export function padWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
