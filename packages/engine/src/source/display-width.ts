/** Columns that a text takes in a terminal: 2 for what East Asian fonts draw wide and for emoji, 0 for marks. No tabs. */
export function displayWidth(text: string): number {
  if (isAscii(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment);
  return width;
}

/** What a reader sees as single characters, each with its columns. */
export function displayPieces(text: string): readonly { readonly text: string; readonly width: number }[] {
  if (isAscii(text)) return [...text].map((character) => ({ text: character, width: 1 }));
  return [...graphemes().segment(text)].map(({ segment }) => ({ text: segment, width: graphemeWidth(segment) }));
}

let segmenter: Intl.Segmenter | undefined;

/** Made when first wanted: it takes longer than all else at start-up, and most texts are plain. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}

const markOnly = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
/** Half-width katakana are in the script but one column wide. */
const halfWidth = /^[\uFF61-\uFFDC\uFFE8-\uFFEE]/u;
/** The last one asks for an emoji's coloured, wide form. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303E\u30FB\u30FC\u31F0-\u32FF\u3300-\u33FF\uFE30-\uFE4F\uFF01-\uFF60\uFFE0-\uFFE6\p{Emoji_Presentation}]|\uFE0F/u;

function graphemeWidth(grapheme: string): number {
  if (markOnly.test(grapheme)) return 0;
  // A half-width katakana and its sound mark are one letter in two columns.
  if (halfWidth.test(grapheme)) return grapheme.length;
  return wide.test(grapheme) ? 2 : 1;
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  return /^[\x00-\x7F]*$/.test(text);
}
