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

/** The first call on a file finds its lines, O(length); each further one is a binary search and a walk of `stride` at most. */
export function placeOf(file: SourceFile, offset: number): Place {
  const { starts } = linesOf(file);
  const line = lastAtMost(starts, offset);
  const start = starts[line] ?? 0;
  const end = Math.min(offset, file.text.length);
  const pairs = pairsBefore(file, end) - pairsBefore(file, start);
  return { line: line + 1, column: end - start - pairs + 1 };
}

/** Offset of the first character of the line in which an offset lies. */
export function lineStart(file: SourceFile, offset: number): number {
  const { starts } = linesOf(file);
  return starts[lastAtMost(starts, offset)] ?? 0;
}

/** Text of a line (from 1) without its line break; empty beyond the end. */
export function lineText(file: SourceFile, line: number): string {
  const { starts } = linesOf(file);
  const start = starts[line - 1];
  if (start === undefined) return '';
  const end = starts[line];
  if (end === undefined) return file.text.slice(start);
  return file.text.slice(start, file.text[end - 2] === '\r' ? Math.max(start, end - 2) : end - 1);
}

interface Lines {
  /** Offset of the first character of each line. */
  readonly starts: readonly number[];
  /** Characters of two code units that end before each multiple of `stride`. */
  readonly pairs: readonly number[];
}

/** A file may be one line of a megabyte, with thousands of mistakes. */
const stride = 1024;

const known = new WeakMap<SourceFile, Lines>();

function linesOf(file: SourceFile): Lines {
  const before = known.get(file);
  if (before !== undefined) return before;
  const { text } = file;
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const pairs = [0];
  for (let end = stride; end <= text.length; end += stride)
    pairs.push((pairs.at(-1) ?? 0) + pairsBetween(text, end - stride, end));
  const lines = { starts, pairs };
  known.set(file, lines);
  return lines;
}

function pairsBefore(file: SourceFile, offset: number): number {
  const strides = Math.floor(offset / stride);
  return (linesOf(file).pairs[strides] ?? 0) + pairsBetween(file.text, strides * stride, offset);
}

/** Characters of two code units whose second one lies in a stretch. */
function pairsBetween(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += 1) if (isLow(text, at) && isHigh(text, at - 1)) count += 1;
  return count;
}

function isHigh(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
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
