import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type DataEncoding, encodingOfMark } from './detect-encoding.ts';

export interface FileScan {
  /** SHA-256 of the bytes. */
  readonly digest: string;
  readonly encoding: DataEncoding;
  /** Lines that hold more than white space (of ASCII-compatible encodings). */
  readonly filledLines: number;
  readonly isEmpty: boolean;
}

const newline = 0x0a;

/** Reads a file once, without keeping it: what it is, how it is encoded, how many lines it has. */
export async function scanFile(path: string): Promise<FileScan> {
  const hash = createHash('sha256');
  const isUtf8 = utf8Test();
  const countLines = lineCount();
  let marked: DataEncoding | undefined;
  let isEmpty = true;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>) {
    if (isEmpty) marked = encodingOfMark(chunk);
    isEmpty = false;
    hash.update(chunk);
    isUtf8(chunk);
    countLines(chunk);
  }
  return {
    digest: hash.digest('hex'),
    encoding: marked ?? (isUtf8() ? 'utf-8' : 'cp932'),
    filledLines: countLines(),
    isEmpty,
  };
}

/** Takes chunks; says whether all so far is UTF-8, and without a chunk whether it ends as UTF-8 too. */
function utf8Test(): (chunk?: Uint8Array) => boolean {
  let cut: Uint8Array = new Uint8Array();
  let isSoFar = true;
  return (chunk) => {
    if (!isSoFar || chunk === undefined) return isSoFar && cut.length === 0;
    const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk]);
    const end = lastWholeEnd(bytes);
    isSoFar = isUtf8(bytes.subarray(0, end));
    cut = bytes.subarray(end);
    return isSoFar;
  };
}

/** Where a character that is cut off at the end begins; the length where none is. */
function lastWholeEnd(bytes: Uint8Array): number {
  const { length } = bytes;
  let last = length - 1;
  while (last > length - 4 && last > 0 && ((bytes[last] as number) & 0xc0) === 0x80) last -= 1;
  return last >= 0 && last + characterSize(bytes[last] as number) > length ? last : length;
}

function characterSize(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

/** Takes chunks; without one gives the number of lines that hold more than white space. */
function lineCount(): (chunk?: Uint8Array) => number {
  let lines = 0;
  let isFilled = false;
  return (chunk = new Uint8Array([newline])) => {
    for (let at = 0; at < chunk.length; ) {
      const found = chunk.indexOf(newline, at);
      const end = found < 0 ? chunk.length : found;
      isFilled ||= holdsMore(chunk, at, end);
      if (found >= 0 && isFilled) lines += 1;
      if (found >= 0) isFilled = false;
      at = end + 1;
    }
    return lines;
  };
}

function holdsMore(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if ((bytes[at] as number) > 0x20) return true;
  return false;
}
