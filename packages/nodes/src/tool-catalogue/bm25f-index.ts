import type { DescribedTool } from './catalogue-tool.ts';
import { splitWords } from './split-words.ts';
import { type ToolField, type ToolWords, toolFields, wordsOfTool } from './tool-words.ts';

/** How soon more of the same word adds less (BM25's usual value). */
const k1 = 1.2;

/** How much the length of a field counts (BM25's usual value). */
const b = 0.75;

/** Scores of all tools for one query. */
export interface ToolScores {
  /** `[tools]`, 0 where no word is shared. */
  readonly scores: Float64Array;
  /** Tools with a score above 0, in no order. */
  readonly found: readonly number[];
}

/** A tool that holds a word, and how much the word weighs there. */
interface Holder {
  readonly tool: number;
  readonly weight: number;
}

/**
 * BM25F over the fields of tools, in memory. `score(q, d) = Σ idf(t) · w · (k1 + 1) / (k1 + w)` where `w` is the sum over
 * the fields of `count / (1 - b + b · length / mean length)`; k1 = 1.2, b = 0.75, all fields weigh 1, each word of a query
 * counts once. Weights tuned to one catalogue were worse on others.
 *
 * Robertson, Zaragoza and Taylor, Simple BM25 Extension to Multiple Weighted Fields (2004).
 */
export class Bm25fIndex {
  private readonly tools: readonly DescribedTool[];
  private readonly means: Readonly<Record<ToolField, number>>;
  private readonly holders = new Map<string, Holder[]>();

  constructor(tools: readonly DescribedTool[]) {
    this.tools = tools;
    const read = tools.map(wordsOfTool);
    this.means = meanLengths(read);
    for (const [tool, words] of read.entries()) {
      for (const [word, weight] of weigh(words, this.means)) {
        const holders = this.holders.get(word);
        if (holders === undefined) this.holders.set(word, [{ tool, weight }]);
        else holders.push({ tool, weight });
      }
    }
  }

  /** The words of a text that some tool holds, each once. */
  wordsOf(text: string): readonly string[] {
    return [...new Set(splitWords(text))].filter((word) => this.holders.has(word));
  }

  /** How much a word tells: its inverse document frequency. */
  rarityOf(word: string): number {
    const count = this.holders.get(word)?.length ?? 0;
    return Math.log(1 + (this.tools.length - count + 0.5) / (count + 0.5));
  }

  score(words: readonly string[]): ToolScores {
    const scores = new Float64Array(this.tools.length);
    const found: number[] = [];
    for (const word of words) {
      const rarity = this.rarityOf(word);
      for (const { tool, weight } of this.holders.get(word) ?? []) {
        const before = scores[tool] as number;
        if (before === 0) found.push(tool);
        scores[tool] = before + gain(rarity, weight);
      }
    }
    return { scores, found };
  }

  /** The words of a tool by field. */
  fieldsOf(tool: number): ToolWords {
    return wordsOfTool(this.tools[tool] as DescribedTool);
  }

  /** What a tool would score for some of the words; `weightsOf` gives its words. */
  scoreOne(weights: ReadonlyMap<string, number>, words: readonly string[]): number {
    let score = 0;
    for (const word of words) {
      const weight = weights.get(word);
      if (weight !== undefined) score += gain(this.rarityOf(word), weight);
    }
    return score;
  }

  /** How much each word of a tool weighs there. */
  weightsOf(tool: number): ReadonlyMap<string, number> {
    return weigh(this.fieldsOf(tool), this.means);
  }
}

/**
 * Tools of a score, best first; equal ones in the order of the catalogue. Only those that may be among the best are put in order:
 * a common word finds most tools of a catalogue.
 */
export function bestTools({ scores, found }: ToolScores, k: number): readonly number[] {
  const byScore = (one: number, other: number): number =>
    (scores[other] as number) - (scores[one] as number) || one - other;
  let best: number[] = [];
  let last: number | undefined;
  for (const tool of found) {
    if (last !== undefined && byScore(last, tool) < 0) continue;
    best.push(tool);
    if (best.length < 2 * k + 100) continue;
    best = best.sort(byScore).slice(0, k);
    last = best.at(-1);
  }
  return best.sort(byScore).slice(0, k);
}

/** What a tool gains by a word that weighs so much there. */
function gain(rarity: number, weight: number): number {
  return (rarity * (k1 + 1) * weight) / (k1 + weight);
}

function weigh(words: ToolWords, means: Readonly<Record<ToolField, number>>): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const field of toolFields) {
    const norm = 1 / (1 - b + (b * words[field].length) / means[field]);
    for (const word of words[field]) weights.set(word, (weights.get(word) ?? 0) + norm);
  }
  return weights;
}

function meanLengths(read: readonly ToolWords[]): Readonly<Record<ToolField, number>> {
  const mean = (field: ToolField): number => {
    const total = read.reduce((sum, words) => sum + words[field].length, 0);
    return total / Math.max(1, read.length) || 1;
  };
  return {
    own: mean('own'),
    group: mean('group'),
    category: mean('category'),
    description: mean('description'),
    arguments: mean('arguments'),
  };
}
