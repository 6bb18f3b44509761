import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** A file larger than this is no text that a person wrote, nor one that is held in one piece. */
const maxMegabytes = 256;
const maxBytes = maxMegabytes * 2 ** 20;

/** Why a file is no text; the message stands behind "cannot be read: ". */
export class NoTextFile extends Error {
  override readonly name = 'NoTextFile';
}

/**
 * The text of a file that a person named, without a byte order mark: never a pipe that nobody may ever write to, never
 * without end, and no signs in the place of bytes that are no UTF-8.
 *
 * @throws NoTextFile
 * @throws the file system's own errors
 */
export function readNamedFile(path: string): string {
  if (isWaitedFor(path)) throw new NoTextFile('it is a pipe');
  const descriptor = openSync(path, 'r');
  try {
    const kept = new KeptParts();
    for (let part = readPart(descriptor); part.length > 0; part = readPart(descriptor)) kept.add(part);
    return kept.text();
  } finally {
    closeSync(descriptor);
  }
}

/** What came in parts from standard input, as `readNamedFile` reads it. @throws NoTextFile */
export async function readStream(parts: AsyncIterable<Buffer>): Promise<string> {
  const kept = new KeptParts();
  for await (const part of parts) kept.add(part);
  return kept.text();
}

/** A text that comes in parts, which may have no end. */
class KeptParts {
  readonly #parts: Buffer[] = [];
  #size = 0;

  /** @throws NoTextFile */
  add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > maxBytes) throw new NoTextFile(`it is larger than ${maxMegabytes} MB`);
    this.#parts.push(part);
  }

  /** @throws NoTextFile */
  text(): string {
    const bytes = Buffer.concat(this.#parts);
    if (!isUtf8(bytes)) throw new NoTextFile('it is no UTF-8 (save it as UTF-8)');
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  }
}

/** A pipe that nobody may ever write to; not one that a shell hands over, `<(…)`. */
function isWaitedFor(path: string): boolean {
  return !/^\/(dev|proc)\//.test(path) && statSync(path).isFIFO();
}

const partBytes = 2 ** 20;

function readPart(descriptor: number): Buffer {
  const part = Buffer.allocUnsafeSlow(partBytes);
  return part.subarray(0, readSync(descriptor, part));
}
