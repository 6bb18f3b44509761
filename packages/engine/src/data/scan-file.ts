import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { lastWholeEnd } from './decode-text.ts';
import { type DataEncoding, encodingOfMark } from './detect-encoding.ts';
import { digestOfChunks } from './digest-of-chunks.ts';
import { EncodingEvidence } from './encoding-evidence.ts';

export interface FileScan {
  /** SHA-256 of the bytes; of text without the `\r` of its line ends, which differ from one checkout to another. */
  readonly digest: string;
  readonly encoding: DataEncoding;
  /** Whether a byte order mark says it. */
  readonly isMarked: boolean;
  /** Lines that hold more than ASCII's white space (of ASCII-compatible encodings). */
  readonly filledLines: number;
  readonly isEmpty: boolean;
  /** What it is and what to do, where it begins as files do that hold no text. */
  readonly noText?: string;
}

const newline = 0x0a;

/**
 * Reads a file without keeping it: what it is, how it is encoded, how many lines it has. One that is no plain UTF-8 is read
 * a second time, for what speaks for each encoding in all of it.
 *
 * @param isText whether its encoding matters
 */
export async function scanFile(path: string, { isText = true } = {}): Promise<FileScan> {
  const digest = digestOfChunks(isText);
  const isUtf8 = utf8Test();
  const countLines = lineCount();
  let marked: DataEncoding | undefined;
  let isEmpty = true;
  let isPlain = true;
  let noText: string | undefined;
  for await (const chunk of piecesOf(path)) {
    if (isEmpty) marked = encodingOfMark(chunk);
    if (isEmpty && isText) noText = whatIsNoText(chunk);
    isEmpty = false;
    digest(chunk);
    if (isText) isPlain &&= isUtf8(chunk) && !chunk.includes(0) && !chunk.includes(escapeByte);
    countLines(chunk);
  }
  isPlain &&= isUtf8();
  return {
    digest: digest(),
    encoding: marked ?? (isPlain ? 'utf-8' : await likelyEncoding(path)),
    isMarked: marked !== undefined,
    filledLines: countLines(),
    isEmpty,
    ...(noText === undefined ? {} : { noText }),
  };
}

const beginnings: readonly (readonly [hex: string, said: string])[] = [
  ['504b0304', 'an Excel workbook or another ZIP archive. Save it as CSV (UTF-8)'],
  ['d0cf11e0a1b11ae1', 'an old Excel workbook. Save it as CSV (UTF-8)'],
  ['1f8b08', 'compressed with gzip. Unpack it'],
  ['28b52ffd', 'compressed with Zstandard. Unpack it'],
  ['5041523115', 'a Parquet file. Say --data-format parquet'],
];

function whatIsNoText(start: Uint8Array): string | undefined {
  const hex = Buffer.from(start.subarray(0, 8)).toString('hex');
  return beginnings.find(([beginning]) => hex.startsWith(beginning))?.[1];
}

/** With it escape sequences of ISO-2022-JP begin. */
const escapeByte = 0x1b;

async function* piecesOf(path: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    // Where reading fails in the middle, the system does not say of which file.
    throw Object.assign(error as Error, { path });
  }
}

async function likelyEncoding(path: string): Promise<DataEncoding> {
  const evidence = new EncodingEvidence();
  for await (const chunk of piecesOf(path)) evidence.add(chunk);
  return evidence.decide();
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
  for (let at = start; at < end; at += 1) if (!isWhite(bytes[at] as number)) return true;
  return false;
}

function isWhite(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
