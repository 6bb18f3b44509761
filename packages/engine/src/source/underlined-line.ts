import { lineStart, lineText, placeOf, type Span } from './source-file.ts';
import { textPieces } from './text-width.ts';

/** Columns of a source line that are shown at most. */
const maxColumns = 120;
const tabColumns = 4;
/** Code units of a line that are looked at on either side of a mark: a flow may be one line of a megabyte, with thousands of mistakes. */
const maxUnits = 1000;

export interface UnderlinedLine {
  readonly text: string;
  /** Spaces that stand before the marks. */
  readonly before: string;
  /** One `~` a column, at least one. */
  readonly marks: string;
}

/**
 * The first line of a span with what it covers of that line; a long line is cut round it. Undefined where the line is
 * blank: there is nothing to show.
 */
export function underlinedLine(span: Span): UnderlinedLine | undefined {
  const text = lineText(span.file, placeOf(span.file, span.start).line);
  if (text.trim() === '') return undefined;
  const from = Math.min(text.length, span.start - lineStart(span.file, span.start));
  const to = Math.max(from, Math.min(from + span.end - span.start, text.trimEnd().length));
  const before = text.slice(Math.max(0, from - maxUnits), from);
  const marked = text.slice(from, Math.min(to, from + maxUnits));
  return cut(pieces(before), pieces(marked), pieces(text.slice(to, to + maxUnits)));
}

interface Piece {
  readonly text: string;
  readonly width: number;
}

/** Tabs as spaces and control characters as a sign, so that what is counted is what is seen. */
function pieces(text: string): readonly Piece[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would move the cursor or change its colour
  const printable = text.replaceAll('\t', ' '.repeat(tabColumns)).replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '\uFFFD');
  return textPieces(printable);
}

function cut(before: readonly Piece[], marked: readonly Piece[], after: readonly Piece[]): UnderlinedLine {
  const words = take(marked, maxColumns - 2);
  const room = maxColumns - width(words) - 2;
  const left = takeLast(before, Math.max(Math.floor(room / 2), room - width(after)));
  const right = take(after, room - width(left));
  const head = left.length < before.length ? '…' : '';
  const tail = words.length < marked.length || right.length < after.length ? '…' : '';
  return {
    text: `${head}${texts(left)}${texts(words)}${texts(right)}${tail}`.trimEnd(),
    before: ' '.repeat(head.length + width(left)),
    marks: '~'.repeat(Math.max(1, width(words))),
  };
}

function take(from: readonly Piece[], columns: number): readonly Piece[] {
  let used = 0;
  const end = from.findIndex((piece) => {
    used += piece.width;
    return used > columns;
  });
  return end === -1 ? from : from.slice(0, end);
}

function takeLast(from: readonly Piece[], columns: number): readonly Piece[] {
  return take(from.toReversed(), columns).toReversed();
}

function width(of: readonly Piece[]): number {
  return of.reduce((sum, piece) => sum + piece.width, 0);
}

function texts(of: readonly Piece[]): string {
  return of.map((piece) => piece.text).join('');
}
