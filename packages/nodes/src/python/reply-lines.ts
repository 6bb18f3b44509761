/** The worker itself refuses to give more. */
const maxReplyBytes = 300 * 2 ** 20;

/** Cuts what a worker writes into lines. */
export class ReplyLines {
  #parts: Buffer[] = [];
  #bytes = 0;

  /** Whether a line has begun that is longer than any reply. */
  get isEndless(): boolean {
    return this.#bytes > maxReplyBytes;
  }

  /** The lines that end with this part. */
  *cut(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#parts.push(chunk.subarray(start, end));
      const line = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#bytes = 0;
      start = end + 1;
      yield line.toString('utf8');
    }
    if (start === chunk.length) return;
    this.#parts.push(chunk.subarray(start));
    this.#bytes += chunk.length - start;
  }
}
