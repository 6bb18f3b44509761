import type { RedactedStream } from './redacted-stream.ts';

/**
 * Takes secrets out of a text that comes in pieces, and tells it in the same pieces: one that a secret may begin in waits, and those
 * that hold parts of one are told as one.
 */
export class RedactedPieces {
  readonly #stream: RedactedStream;
  /** Pieces that nobody was told, as they came. */
  readonly #waiting: string[] = [];
  /** What of them is known to hold no secret, or has none any more. */
  #free = '';

  constructor(stream: RedactedStream) {
    this.#stream = stream;
  }

  /** @returns the pieces that can be told now */
  push(piece: string): readonly string[] {
    this.#waiting.push(piece);
    this.#free += this.#stream.push(piece);
    return this.#takeFree();
  }

  /** @returns what is left */
  end(): readonly string[] {
    this.#free += this.#stream.end();
    const free = this.#takeFree();
    const rest = this.#free;
    this.#free = '';
    this.#waiting.length = 0;
    return rest === '' ? free : [...free, rest];
  }

  #takeFree(): readonly string[] {
    const free: string[] = [];
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#free.startsWith(next)) {
        free.push(next);
        this.#free = this.#free.slice(next.length);
        this.#waiting.shift();
      } else if (next.startsWith(this.#free)) break;
      else {
        // A secret was taken out: the pieces it was in are no more.
        free.push(this.#free);
        this.#free = '';
        this.#waiting.length = 0;
      }
    }
    if (this.#waiting.length === 0 && this.#free !== '') {
      free.push(this.#free);
      this.#free = '';
    }
    return free;
  }
}
