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
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  return (chunk) => {
    try {
      if (isUtf8) decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isUtf8 = false;
    }
    return isUtf8;
  };
}

/** Takes chunks; without one gives the number of lines that hold more than white space. */
function lineCount(): (chunk?: Uint8Array) => number {
  let lines = 0;
  let isFilled = false;
  return (chunk = new Uint8Array([newline])) => {
    for (const byte of chunk) {
      if (byte > 0x20) isFilled = true;
      else if (byte === newline && isFilled) {
        lines += 1;
        isFilled = false;
      }
    }
    return lines;
  };
}
