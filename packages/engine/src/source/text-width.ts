import stringWidth from 'string-width';

/** Width of a text in cells of a terminal: 2 for a Japanese character, 0 for a combining mark or a colour code. */
export function textWidth(text: string): number {
  if (isAscii.test(text)) return text.length;
  return isPlain.test(text) ? text.length + (text.match(wide)?.length ?? 0) : stringWidth(text);
}

const isAscii = /^[\x20-\x7e]*$/;
/**
 * Characters that each stand for themselves, so that a text of them is as wide as they are: Latin letters, what our own
 * tables are drawn with, kana, kanji, full-width forms. For all others string-width knows, which takes 40 ms to load.
 */
const isPlain =
  /^[\x20-\x7e\xa1-\xac\xae-\xff\u2010-\u2027\u2190-\u2199\u2500-\u259f\u2713\u2717\u2800-\u28ff\u3000-\u3029\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uff01-\uff60]*$/;
const wide = /[\u3000-\uff60]/g;

/** The text cut to at most `width` cells, with `…` where something was left out. */
export function fitWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let fitting = '';
  let used = 1;
  for (const character of isPlain.test(text) ? text : graphemes(text)) {
    used += textWidth(character);
    if (used > width) break;
    fitting += character;
  }
  return `${fitting}…`;
}

/** What a reader sees as single characters, each with its width in cells. */
export function textPieces(text: string): readonly { readonly text: string; readonly width: number }[] {
  const characters = isPlain.test(text) ? [...text] : [...graphemes(text)];
  return characters.map((character) => ({ text: character, width: textWidth(character) }));
}

function* graphemes(text: string): Iterable<string> {
  for (const { segment } of new Intl.Segmenter('ja', { granularity: 'grapheme' }).segment(text)) yield segment;
}

/** The text with blanks behind it up to `width` cells. */
export function padWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
