/** No key: keys are not below 0. */
const none = -1;
const smallestCapacity = 16;

/**
 * A map of whole numbers from 0 for what comes and goes with every row. V8's own `Map` lays out a new table each time its
 * room for removed entries is used up, and every old table leads to the next: one that came into V8's old generation keeps
 * alive all that came after it, until the whole heap is collected. This one has a table of its own that stays.
 *
 * Open addressing with linear probing; entries behind a removed one move up (Knuth, The Art of Computer Programming 3,
 * 6.4, algorithm R).
 */
export class NumberMap<Entry> {
  #keys = new Float64Array(smallestCapacity).fill(none);
  #entries = new Array<Entry | undefined>(smallestCapacity).fill(undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(key: number): boolean {
    return this.#keys[this.#find(key)] === key;
  }

  get(key: number): Entry | undefined {
    return this.#entries[this.#find(key)];
  }

  set(key: number, entry: Entry): void {
    const at = this.#find(key);
    this.#entries[at] = entry;
    if (this.#keys[at] === key) return;
    this.#keys[at] = key;
    this.#size += 1;
    if (this.#size * 2 > this.#keys.length) this.#grow();
  }

  delete(key: number): boolean {
    const at = this.#find(key);
    if (this.#keys[at] !== key) return false;
    this.#size -= 1;
    this.#closeGap(at);
    return true;
  }

  clear(): void {
    this.#keys.fill(none);
    this.#entries.fill(undefined);
    this.#size = 0;
  }

  /** From the smallest on. */
  keys(): readonly number[] {
    return [...this.#keys].filter((key) => key !== none).sort((one, other) => one - other);
  }

  /** Where the key is, or where it would be put. */
  #find(key: number): number {
    const last = this.#keys.length - 1;
    let at = this.#home(key);
    for (;;) {
      const found = this.#keys[at];
      if (found === key || found === none) return at;
      at = (at + 1) & last;
    }
  }

  /** Fibonacci hashing of both halves of the number. */
  #home(key: number): number {
    const mixed = Math.imul((key % 2 ** 32) ^ (key / 2 ** 20), 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) & (this.#keys.length - 1);
  }

  #closeGap(gap: number): void {
    const last = this.#keys.length - 1;
    let empty = gap;
    for (let at = (gap + 1) & last; this.#keys[at] !== none; at = (at + 1) & last) {
      const key = this.#keys[at] as number;
      if (((at - this.#home(key)) & last) < ((at - empty) & last)) continue;
      this.#keys[empty] = key;
      this.#entries[empty] = this.#entries[at];
      empty = at;
    }
    this.#keys[empty] = none;
    this.#entries[empty] = undefined;
  }

  #grow(): void {
    const keys = this.#keys;
    const entries = this.#entries;
    this.#keys = new Float64Array(keys.length * 2).fill(none);
    this.#entries = new Array<Entry | undefined>(keys.length * 2).fill(undefined);
    for (const [at, key] of keys.entries()) {
      if (key === none) continue;
      const place = this.#find(key);
      this.#keys[place] = key;
      this.#entries[place] = entries[at];
    }
  }
}
