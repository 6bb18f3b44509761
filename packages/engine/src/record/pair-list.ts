import { rowOfNumber } from './row-digests.ts';
import type { RowPairId } from './run-comparison.ts';

/** Pairs of rows by number, with the ids of their patterns, in the order of the left run. */
export class PairList {
  count = 0;
  private readonly lefts: Float64Array;
  private readonly rights: Float64Array;
  private readonly patterns: Uint32Array;

  /** @param most how many pairs there can be */
  constructor(most: number) {
    this.lefts = new Float64Array(most);
    this.rights = new Float64Array(most);
    this.patterns = new Uint32Array(most);
  }

  add(left: number, right: number, pattern: number): void {
    this.lefts[this.count] = left;
    this.rights[this.count] = right;
    this.patterns[this.count] = pattern;
    this.count += 1;
  }

  /** The first pairs of these patterns. */
  find(patterns: ReadonlySet<number>, limit: number): readonly RowPairId[] {
    const found: RowPairId[] = [];
    for (let at = 0; at < this.count && found.length < limit; at += 1) {
      const pattern = this.patterns[at] as number;
      if (!patterns.has(pattern)) continue;
      const [left, right] = [this.lefts[at] as number, this.rights[at] as number];
      found.push({ pattern, left: rowOfNumber(left), right: rowOfNumber(right) });
    }
    return found;
  }
}
