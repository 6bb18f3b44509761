import { isUtf8 } from 'node:buffer';

/** Bytes in the place of a text that are no UTF-8. They are never replaced by signs that nobody sent. */
export class NoUtf8 extends Error {
  static readonly told = 'the answer holds bytes that are no UTF-8';
  readonly code = 'NO_UTF8';

  constructor() {
    super(NoUtf8.told);
    this.name = 'NoUtf8';
  }
}

/** A whole text. @throws NoUtf8 */
export function utf8Text(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new NoUtf8();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** A text that comes in parts, which may cut a sign in two. */
export class Utf8Parts {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  /** Up to the last whole sign. @throws NoUtf8 */
  text(part: Uint8Array): string {
    return this.#decoded(part);
  }

  /** @throws NoUtf8 where the last sign is not whole */
  end(): void {
    this.#decoded();
  }

  #decoded(part?: Uint8Array): string {
    try {
      return part === undefined ? this.#decoder.decode() : this.#decoder.decode(part, { stream: true });
    } catch {
      throw new NoUtf8();
    }
  }
}
