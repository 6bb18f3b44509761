import type { DescribedTool } from './catalogue-tool.ts';
import { PieceTable } from './piece-table.ts';
import { scanAscii, splitWords, termOf, type VisitStretch } from './split-words.ts';

/** What of a tool is searched; each counts the same. */
export const toolFields = ['own', 'group', 'category', 'description', 'arguments'] as const;
export type ToolField = (typeof toolFields)[number];

/** Scores of all tools for one query; read before the next query is scored. */
export interface ToolScores {
  /** `[tools]`, 0 where no word is shared. */
  readonly scores: Float64Array;
  /** Tools with a score above 0, in no order. */
  readonly found: Int32Array;
}

const k1 = 1.2;
const b = 0.75;

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

interface ReadWords {
  readonly words: Map<string, number>;
  readonly text: Int32Array;
  readonly bounds: Int32Array;
}

function readWords(tools: readonly DescribedTool[]): ReadWords {
  const reader = new WordReader(tools.length);
  for (const tool of tools) reader.read(tool);
  return reader.finish();
}

const encoder = new TextEncoder();

/** Turns fields into numbers of words. */
class WordReader {
  private readonly words = new Map<string, number>();
  private readonly pieces = new PieceTable((piece) => idOf(termOf(piece), this.words));
  private numbers = new Int32Array(1 << 16);
  private length = 0;
  private readonly bounds: Int32Array;
  private field = 0;
  private bytes = new Uint8Array(1 << 12);
  private readonly visit: VisitStretch = (start, end, hash) => {
    const id = this.pieces.find(this.bytes, start, end, hash);
    if (id >= 0) this.add(id);
  };

  /** @param count tools to be read */
  constructor(count: number) {
    this.bounds = new Int32Array(count * toolFields.length + 1);
  }

  /** All of its texts go into bytes at once: to hand over each by itself takes as long as to read it. */
  read(tool: DescribedTool): void {
    const { own, group, category, description } = tool;
    const texts = `${own}\n${group}\n${category}\n${description}\n${argumentsText(tool)}`;
    if (this.bytes.length <= 3 * texts.length) this.bytes = new Uint8Array(6 * texts.length + 1);
    const { written } = encoder.encodeInto(texts, this.bytes);
    this.bytes[written] = 0;
    if (written > texts.length) {
      for (const text of [own, group, category, description, argumentsText(tool)]) this.readText(text);
      return;
    }
    let from = 0;
    for (const { length } of [own, group, category, description]) {
      this.readBytes(from, from + length);
      from += length + 1;
    }
    this.readBytes(from, written);
  }

  finish(): ReadWords {
    this.bounds[this.field] = this.length;
    return { words: this.words, text: this.numbers.slice(0, this.length), bounds: this.bounds };
  }

  private readBytes(from: number, to: number): void {
    this.bounds[this.field++] = this.length;
    scanAscii(this.bytes, from, to, this.visit);
  }

  private readText(text: string): void {
    this.bounds[this.field++] = this.length;
    for (const word of splitWords(text)) this.add(idOf(word, this.words));
  }

  private add(id: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = id;
  }
}

/** The number of a word, -1 for none. */
function idOf(word: string | undefined, words: Map<string, number>): number {
  if (word === undefined) return -1;
  const known = words.get(word);
  if (known !== undefined) return known;
  words.set(word, words.size);
  return words.size - 1;
}

/** Names and descriptions, one a line. */
function argumentsText({ parameters }: DescribedTool): string {
  const properties = parameters['properties'];
  if (typeof properties !== 'object' || properties === null) return '';
  let text = '';
  for (const name in properties) {
    const schema = (properties as Readonly<Record<string, unknown>>)[name];
    const description = (schema as { readonly description?: unknown } | null)?.description;
    text += typeof description === 'string' ? `${name}\n${description}\n` : `${name}\n`;
  }
  return text;
}

interface Postings {
  readonly start: Int32Array;
  readonly holders: Int32Array;
  readonly weights: Float32Array;
}

/** Two walks over all words: one counts how many tools hold each, one writes their weights. */
function weighWords({ words, text, bounds }: ReadWords, count: number): Postings {
  const norms = lengthNorms(bounds, count);
  const start = startsOf(text, bounds, words.size, count);
  const total = start[words.size] ?? 0;
  const holders = new Int32Array(total);
  const weights = new Float32Array(total);
  /** Of each word, the place behind its last holder. */
  const next = start.slice();
  const seen = new Int32Array(words.size).fill(-1);
  for (let part = 0; part < norms.length; part += 1) {
    const tool = Math.trunc(part / toolFields.length);
    const norm = norms[part] as number;
    const end = bounds[part + 1] as number;
    for (let at = bounds[part] as number; at < end; at += 1) {
      const word = text[at] as number;
      let place = (next[word] as number) - 1;
      if (seen[word] !== tool) {
        seen[word] = tool;
        next[word] = ++place + 1;
        holders[place] = tool;
      }
      weights[place] = (weights[place] as number) + norm;
    }
  }
  return { start, holders, weights };
}

/** `[words + 1]`: where the holders of each word begin. */
function startsOf(text: Int32Array, bounds: Int32Array, words: number, count: number): Int32Array {
  const start = new Int32Array(words + 1);
  const seen = new Int32Array(words).fill(-1);
  for (let tool = 0; tool < count; tool += 1) {
    const end = bounds[(tool + 1) * toolFields.length] as number;
    for (let at = bounds[tool * toolFields.length] as number; at < end; at += 1) {
      const word = text[at] as number;
      if (seen[word] === tool) continue;
      seen[word] = tool;
      start[word + 1] = (start[word + 1] as number) + 1;
    }
  }
  for (let word = 0; word < words; word += 1) start[word + 1] = (start[word + 1] as number) + (start[word] as number);
  return start;
}

/** What one occurrence of a word counts, for each field of each tool. */
function lengthNorms(bounds: Int32Array, count: number): Float64Array {
  const fields = toolFields.length;
  const totals = new Float64Array(fields);
  for (let part = 0; part < count * fields; part += 1)
    totals[part % fields] = (totals[part % fields] as number) + (bounds[part + 1] as number) - (bounds[part] as number);
  const means = totals.map((total) => total / Math.max(1, count) || 1);
  const norms = new Float64Array(count * fields);
  for (let part = 0; part < norms.length; part += 1) {
    const length = (bounds[part + 1] as number) - (bounds[part] as number);
    norms[part] = 1 / (1 - b + (b * length) / (means[part % fields] as number));
  }
  return norms;
}

/** Where `wanted` stands among ascending numbers from `from` up to `to`; -1 where it does not. */
function positionOf(ascending: Int32Array, wanted: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low < to && ascending[low] === wanted ? low : -1;
}
