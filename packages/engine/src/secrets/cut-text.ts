import { cutBetweenWords } from './cut-between-words.ts';
import type { Cut } from './known-secrets.ts';

/**
 * The begin of a text from which secrets are yet to be taken, and a note that it was cut, by which `Redactor.message` knows that a
 * secret may have been halved.
 *
 * @param most characters that are kept
 */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${cutBetweenWords(text, most)}… (${text.length} characters)`;
}

/**
 * The end of such a text, with the note in front of it. It begins with a line, or with a word where the line is longer, so that
 * nothing stands without what tells it to be a key.
 *
 * @param length characters of the whole text, of which `text` is the end
 */
export function endOfText(text: string, most: number, length: number = text.length): string {
  if (length <= most) return text;
  const end = text.slice(-most).replace(/^[\uDC00-\uDFFF]/, '');
  const line = end.indexOf('\n');
  const word = end.search(/\s/);
  const from = line === -1 ? word : line;
  return `… (${length} characters, the end:)${from === -1 ? end : ` ${end.slice(from + 1)}`}`;
}

const cutEnd = String.raw`\n… \d+ more characters were printed\n|… \(\d+ characters\)`;
const cutBegin = String.raw`… \(\d+ characters, the end:\)`;
const cutNote = new RegExp(`(?:(?<end>${cutEnd})|(?<begin>${cutBegin}))`, 'g');

/** A part of a text, and where it was cut; the note stands behind it. */
export interface CutPart extends Cut {
  readonly text: string;
  readonly note: string;
}

/** A text at its notes of cuts, whoever made them: code threads and Python workers know no secrets. One part where nothing was cut. */
export function cutParts(text: string): readonly CutPart[] {
  const parts: CutPart[] = [];
  let from = 0;
  let isEnd = false;
  for (const { 0: note, index, groups } of text.matchAll(cutNote)) {
    const isBegin = groups?.['end'] !== undefined;
    parts.push({ text: text.slice(from, index), isEnd, isBegin, note });
    from = index + note.length;
    isEnd = !isBegin;
  }
  return [...parts, { text: text.slice(from), isEnd, isBegin: false, note: '' }];
}
