import type { DescribedTool } from './catalogue-tool.ts';
import { splitWords } from './split-words.ts';
import { k1, positionOf, weighWords } from './tool-postings.ts';
import { readWords, type ToolField, toolFields } from './tool-words.ts';
/** Scores of all tools for one query; read before the next query is scored. */
export interface ToolScores {
  /** `[tools]`, 0 where no word is shared. */
  readonly scores: Float64Array;
  /** Tools with a score above 0, in no order. */
  readonly found: Int32Array;
}

/**
 * BM25F over the fields of tools, in memory. `score(q, d) = Σ idf(t) · w · (k1 + 1) / (k1 + w)` where `w` is the sum over
 * the fields of `count / (1 - b + b · length / mean length)`; k1 = 1.2, b = 0.75, all fields weigh 1, each word of a query
 * counts once. Weights tuned to one catalogue were worse on others.
 *
 * Robertson, Zaragoza and Taylor, Simple BM25 Extension to Multiple Weighted Fields (2004).
 */
export class Bm25fIndex {
  readonly size: number;
  private readonly words: Map<string, number>;
  private readonly rarity: Float64Array;
  /** Tools that hold a word and their weights, word after word: those of word w from `start[w]` up to `start[w + 1]`. */
  private readonly start: Int32Array;
  private readonly holders: Int32Array;
  private readonly weights: Float32Array;
  /** Words of every field of every tool, one after another; `bounds[tool * fields + field]` is where they begin. */
  private readonly text: Int32Array;
  private readonly bounds: Int32Array;
  private readonly scratch: Float64Array;
  private readonly foundTools: Int32Array;
  private foundCount = 0;
  /** What a tool gains by a word, beside its weight. */
  private readonly gains: Float32Array;

  constructor(tools: readonly DescribedTool[]) {
    this.size = tools.length;
    const read = readWords(tools);
    ({ words: this.words, text: this.text, bounds: this.bounds } = read);
    const postings = weighWords(read, tools.length);
    ({ start: this.start, holders: this.holders, weights: this.weights } = postings);
    this.rarity = Float64Array.from({ length: this.words.size }, (_, word) => {
      const count = (this.start[word + 1] ?? 0) - (this.start[word] ?? 0);
      return Math.log(1 + (tools.length - count + 0.5) / (count + 0.5));
    });
    this.gains = this.gainsOf();
    this.scratch = new Float64Array(tools.length);
    this.foundTools = new Int32Array(tools.length);
  }

  /** The words of a text that some tool holds, each once. */
  wordsOf(text: string): readonly number[] {
    const known = new Set<number>();
    for (const word of splitWords(text)) {
      const id = this.words.get(word);
      if (id !== undefined) known.add(id);
    }
    return [...known];
  }

  /** How much a word tells: its inverse document frequency. */
  rarityOf(word: number): number {
    return this.rarity[word] ?? 0;
  }

  score(words: readonly number[]): ToolScores {
    const { scratch, foundTools, holders, gains } = this;
    for (let at = 0; at < this.foundCount; at += 1) scratch[foundTools[at] as number] = 0;
    let count = 0;
    for (const word of words) {
      const end = this.start[word + 1] ?? 0;
      for (let at = this.start[word] ?? 0; at < end; at += 1) {
        const tool = holders[at] as number;
        const before = scratch[tool] as number;
        if (before === 0) foundTools[count++] = tool;
        scratch[tool] = before + (gains[at] as number);
      }
    }
    this.foundCount = count;
    return { scores: scratch, found: foundTools.subarray(0, count) };
  }

  private gainsOf(): Float32Array {
    const gains = new Float32Array(this.weights.length);
    for (let word = 0; word < this.words.size; word += 1) {
      const rarity = (this.rarity[word] as number) * (k1 + 1);
      const end = this.start[word + 1] as number;
      for (let at = this.start[word] as number; at < end; at += 1) {
        const weight = this.weights[at] as number;
        gains[at] = (rarity * weight) / (k1 + weight);
      }
    }
    return gains;
  }

  /** The words of one field of a tool, each once. */
  fieldWords(tool: number, field: ToolField): ReadonlySet<number> {
    const at = tool * toolFields.length + toolFields.indexOf(field);
    return new Set(this.text.subarray(this.bounds[at], this.bounds[at + 1]));
  }

  /** What a tool would score for some of the words; `weightsOf` gives its words. */
  scoreOne(weights: ReadonlyMap<number, number>, words: readonly number[]): number {
    let score = 0;
    for (const word of words) {
      const weight = weights.get(word);
      if (weight !== undefined) score += ((this.rarity[word] ?? 0) * (k1 + 1) * weight) / (k1 + weight);
    }
    return score;
  }

  /** Weights of those of the given words that a tool holds. */
  weightsOf(tool: number, words: readonly number[]): ReadonlyMap<number, number> {
    const weights = new Map<number, number>();
    for (const word of words) {
      const at = positionOf(this.holders, tool, this.start[word] ?? 0, this.start[word + 1] ?? 0);
      if (at >= 0) weights.set(word, this.weights[at] ?? 0);
    }
    return weights;
  }
}

/** Tools of a score, best first; equal ones in the order of the catalogue. O(found + k log k) but for unlucky orders. */
export function bestTools({ scores, found }: ToolScores, k: number): readonly number[] {
  const best: number[] = [];
  let limit = 0;
  const isBetter = (one: number, other: number): number =>
    (scores[other] as number) - (scores[one] as number) || one - other;
  for (const tool of found) {
    if ((scores[tool] as number) < limit) continue;
    best.push(tool);
    if (best.length < 4 * k + 64) continue;
    best.sort(isBetter).length = k;
    limit = scores[best.at(-1) ?? 0] ?? 0;
  }
  return best.sort(isBetter).slice(0, k);
}
