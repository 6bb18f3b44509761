const tableSize = 1 << 14;

/**
 * Whether any of many texts occurs in a longer one. Looks at every sixth character or so, however many texts there are: from the pair of
 * characters at hand it knows how far away the next occurrence is at least (Wu and Manber 1994, blocks of two).
 */
export class TextFinder {
  readonly #shortest: number;
  readonly #shifts: Uint8Array;
  /** Texts by the pair of characters that ends their first `#shortest` ones. */
  readonly #texts = new Map<number, string[]>();

  /** @param texts of 2 characters or more */
  constructor(texts: readonly string[]) {
    this.#shortest = Math.min(255, ...texts.map(({ length }) => length));
    this.#shifts = new Uint8Array(tableSize).fill(this.#shortest - 1);
    for (const text of texts) this.#add(text);
  }

  isIn(text: string): boolean {
    const { length } = text;
    const shifts = this.#shifts;
    const last = this.#shortest - 1;
    for (let at = last; at < length; ) {
      const pair = pairAt(text, at);
      const shift = shifts[pair] as number;
      if (shift === 0 && this.#texts.get(pair)?.some((one) => text.startsWith(one, at - last)) === true) return true;
      at += shift === 0 ? 1 : shift;
    }
    return false;
  }

  #add(text: string): void {
    const last = this.#shortest - 1;
    for (let at = 1; at <= last; at += 1) {
      const pair = pairAt(text, at);
      this.#shifts[pair] = Math.min(this.#shifts[pair] as number, last - at);
    }
    const pair = pairAt(text, last);
    this.#texts.set(pair, [...(this.#texts.get(pair) ?? []), text]);
  }
}

/** A number below `tableSize` for the character at a place and the one before it. */
function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) << 5) ^ text.charCodeAt(at)) & (tableSize - 1);
}
