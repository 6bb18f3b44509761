/**
 * Numbers by pieces of texts, looked up where they stand: no piece is cut out of its text unless it is a new one. An index
 * over tens of thousands of tools looks up a million pieces, nearly all of them known.
 */
export class PieceTable {
  private pieces: (string | undefined)[] = new Array(1 << 12);
  private hashes = new Int32Array(1 << 12);
  private numbers = new Int32Array(1 << 12);
  private size = 0;
  private readonly numberOf: (piece: string) => number;

  /** @param numberOf asked once for each piece, in lower case */
  constructor(numberOf: (piece: string) => number) {
    this.numberOf = numberOf;
  }

  /** The number of the piece from `start` up to `end`, capitals of ASCII as small letters. */
  find(text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    const mask = this.hashes.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const known = this.pieces[at];
      if (known === undefined) return this.add(text.slice(start, end).toLowerCase(), hash, at);
      if (this.hashes[at] === hash && isPiece(known, text, start, end)) return this.numbers[at] as number;
    }
  }

  private add(piece: string, hash: number, at: number): number {
    const number = this.numberOf(piece);
    this.pieces[at] = piece;
    this.hashes[at] = hash;
    this.numbers[at] = number;
    this.size += 1;
    if (2 * this.size > this.hashes.length) this.grow();
    return number;
  }

  private grow(): void {
    const { pieces, hashes, numbers } = this;
    const mask = 2 * hashes.length - 1;
    this.pieces = new Array(mask + 1);
    this.hashes = new Int32Array(mask + 1);
    this.numbers = new Int32Array(mask + 1);
    for (const [from, piece] of pieces.entries()) {
      if (piece === undefined) continue;
      let at = (hashes[from] as number) & mask;
      while (this.pieces[at] !== undefined) at = (at + 1) & mask;
      this.pieces[at] = piece;
      this.hashes[at] = hashes[from] as number;
      this.numbers[at] = numbers[from] as number;
    }
  }
}

/** FNV-1a over letters in lower case. */
function hashOf(text: string, start: number, end: number): number {
  let hash = -2_128_831_035;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ small(text.charCodeAt(at)), 16_777_619);
  return hash ^ (hash >>> 15);
}

function isPiece(piece: string, text: string, start: number, end: number): boolean {
  if (piece.length !== end - start) return false;
  for (let at = 0; at < piece.length; at += 1) {
    if (piece.charCodeAt(at) !== small(text.charCodeAt(start + at))) return false;
  }
  return true;
}

function small(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}
