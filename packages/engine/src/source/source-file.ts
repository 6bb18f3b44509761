/** A text the author wrote. `path` is shown as it stands: relative to where the command was given. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** False where the bytes were no UTF-8: each that was none is U+FFFD in the text. */
  readonly isUtf8?: false;
}

/** A stretch of a source: `start` ≤ `end`, offsets in UTF-16 code units. Line and column are worked out when printed. */
export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}

/** Line and column of an offset, both from 1; a column counts code points. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The first call on a file finds its lines, O(length); each further one is a binary search and a walk along one line. */
export function placeOf(file: SourceFile, offset: number): Place {
  const starts = lineStarts(file);
  const line = lastAtMost(starts, offset);
  let column = 1;
  for (const _ of file.text.slice(starts[line], offset)) column += 1;
  return { line: line + 1, column };
}

/** Offset of the first character of the line in which an offset lies. */
export function lineStart(file: SourceFile, offset: number): number {
  const starts = lineStarts(file);
  return starts[lastAtMost(starts, offset)] ?? 0;
}

/** Text of a line (from 1) without its line break; empty beyond the end. */
export function lineText(file: SourceFile, line: number): string {
  const starts = lineStarts(file);
  const start = starts[line - 1];
  if (start === undefined) return '';
  const end = starts[line];
  if (end === undefined) return file.text.slice(start);
  return file.text.slice(start, file.text[end - 2] === '\r' ? Math.max(start, end - 2) : end - 1);
}

const known = new WeakMap<SourceFile, readonly number[]>();

function lineStarts(file: SourceFile): readonly number[] {
  const before = known.get(file);
  if (before !== undefined) return before;
  const starts = [0];
  for (let at = file.text.indexOf('\n'); at !== -1; at = file.text.indexOf('\n', at + 1)) starts.push(at + 1);
  known.set(file, starts);
  return starts;
}

/** Index of the last member that is ≤ `limit`; the first member is 0. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
