/**
 * Numbers by pieces of texts, looked up where they stand: no piece is cut out of its text unless it is a new one. An index
 * over tens of thousands of tools looks up a million pieces, nearly all of them known.
 */
export class PieceTable {
  /** Where a piece begins in `letters`, and how many it has; 0 where there is none. */
  private starts = new Int32Array(1 << 12);
  private lengths = new Int32Array(1 << 12);
  private hashes = new Int32Array(1 << 12);
  private numbers = new Int32Array(1 << 12);
  private letters = new Uint8Array(1 << 15);
  private filled = 0;
  private size = 0;
  private readonly numberOf: (piece: string) => number;

  /** @param numberOf asked once for each piece, in lower case */
  constructor(numberOf: (piece: string) => number) {
    this.numberOf = numberOf;
  }

  /**
   * The number of the piece from `start` up to `end`, of at least one letter, capitals as small letters.
   *
   * @param text ASCII
   * @param hash of its letters in lower case
   */
  find(text: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.hashes.length - 1;
    for (let at = (hash ^ (hash >>> 15)) & mask; ; at = (at + 1) & mask) {
      const length = this.lengths[at] as number;
      if (length === 0) return this.add(text, start, end, hash, at);
      if (this.hashes[at] === hash && length === end - start && this.isPiece(at, text, start, length))
        return this.numbers[at] as number;
    }
  }

  private isPiece(at: number, text: Uint8Array, start: number, length: number): boolean {
    const { letters } = this;
    const from = this.starts[at] as number;
    for (let letter = 0; letter < length; letter += 1)
      if (letters[from + letter] !== small(text[start + letter] as number)) return false;
    return true;
  }

  private add(text: Uint8Array, start: number, end: number, hash: number, at: number): number {
    const length = end - start;
    if (this.filled + length > this.letters.length) {
      const larger = new Uint8Array(2 * (this.filled + length));
      larger.set(this.letters);
      this.letters = larger;
    }
    for (let letter = 0; letter < length; letter += 1)
      this.letters[this.filled + letter] = small(text[start + letter] as number);
    const number = this.numberOf(decoder.decode(this.letters.subarray(this.filled, this.filled + length)));
    this.starts[at] = this.filled;
    this.lengths[at] = length;
    this.hashes[at] = hash;
    this.numbers[at] = number;
    this.filled += length;
    this.size += 1;
    if (2 * this.size > this.hashes.length) this.grow();
    return number;
  }

  private grow(): void {
    const { starts, lengths, hashes, numbers } = this;
    const mask = 2 * hashes.length - 1;
    this.starts = new Int32Array(mask + 1);
    this.lengths = new Int32Array(mask + 1);
    this.hashes = new Int32Array(mask + 1);
    this.numbers = new Int32Array(mask + 1);
    for (let from = 0; from < hashes.length; from += 1) {
      if (lengths[from] === 0) continue;
      const hash = hashes[from] as number;
      let at = (hash ^ (hash >>> 15)) & mask;
      while (this.lengths[at] !== 0) at = (at + 1) & mask;
      this.starts[at] = starts[from] as number;
      this.lengths[at] = lengths[from] as number;
      this.hashes[at] = hash;
      this.numbers[at] = numbers[from] as number;
    }
  }
}

const decoder = new TextDecoder();

function small(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
