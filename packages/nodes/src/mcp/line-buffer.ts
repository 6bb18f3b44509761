import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/**
 * In the place of the official client's own buffer, which copies and searches all that came before with each piece: of a message
 * of 15 MB that takes longer than most tools have. What is too long is for `watchProcess` to tell.
 */
export class LineBuffer {
  /** Of a line whose end has not come. */
  #begun: Buffer[] = [];
  /** Lines that came, from `#at` on. */
  #lines: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #read: (line: string) => JSONRPCMessage;

  /** @param read throws for what is no message */
  constructor(read: (line: string) => JSONRPCMessage) {
    this.#read = read;
  }

  append(piece: Buffer): void {
    this.#begun.push(piece);
    if (!piece.includes('\n')) return;
    this.#lines = Buffer.concat([this.#lines.subarray(this.#at), ...this.#begun]);
    this.#at = 0;
    this.#begun = [];
  }

  /**
   * null where no whole line is left.
   *
   * @throws Error for a line that is no message; the next call reads what follows it
   */
  readMessage(): JSONRPCMessage | null {
    const end = this.#lines.indexOf('\n', this.#at);
    if (end === -1) {
      if (this.#at < this.#lines.length) this.#begun.unshift(this.#lines.subarray(this.#at));
      this.#lines = Buffer.alloc(0);
      this.#at = 0;
      return null;
    }
    const line = this.#lines.toString('utf8', this.#at, end).replace(/\r$/, '');
    this.#at = end + 1;
    return this.#read(line);
  }

  clear(): void {
    this.#begun = [];
    this.#lines = Buffer.alloc(0);
    this.#at = 0;
  }
}
