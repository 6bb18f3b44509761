import { type Bm25fIndex, bestTools } from './bm25f-index.ts';
import type { DescribedTool } from './catalogue-tool.ts';
import { splitSentences } from './split-words.ts';

/** What is looked at to put the tools that BM25F found in a better order: a number each, most of them from 0 to 1. */
export interface RankFeatures {
  /** 1 / place by BM25F, and the logarithm of the place. */
  readonly rank: number;
  readonly logRank: number;
  /** Largest share of the tool's name that one sentence holds, rare words counting more; the same without words of its owner's name. */
  readonly nameInSentence: number;
  readonly ownNameInSentence: number;
  /** Best score of one sentence, in terms of the best of all; 1 / place by it; in terms of the best for that sentence; whether it is the best there. */
  readonly bestSentence: number;
  readonly rankBySentence: number;
  readonly shareOfSentence: number;
  readonly firstOfSentence: number;
  /** Best score of another tool of the same owner; the same by sentence. */
  readonly bestSibling: number;
  readonly bestSiblingSentence: number;
  /** log(number of tools of the owner). */
  readonly siblings: number;
  readonly ownerInSentence: number;
  /** Share of the description that the query holds. */
  readonly descriptionFound: number;
  /** Largest share of name and description that one sentence holds. */
  readonly textInSentence: number;
  /** 1 / place among the tools of the owner, by score and by best sentence. */
  readonly rankAmongSiblings: number;
  readonly sentenceRankAmongSiblings: number;
  /** Share of the query that the tool holds. */
  readonly queryFound: number;
  readonly nameLength: number;
  readonly descriptionLength: number;
  /** Share of the found tools that are of the owner. */
  readonly siblingsFound: number;
}

export interface Candidate {
  readonly tool: number;
  /** By BM25F. */
  readonly score: number;
  readonly features: RankFeatures;
}

/** Tools by owner: those of one owner are siblings. One that belongs to nothing has none. */
export interface Owners {
  readonly of: readonly string[];
  readonly tools: ReadonlyMap<string, readonly number[]>;
}

export function ownersOf(tools: readonly DescribedTool[]): Owners {
  const of = tools.map(({ category, group }, tool) => (group === '' ? `\0${tool}` : `${category}\0${group}`));
  return { of, tools: Map.groupBy(of.keys(), (tool) => of[tool] ?? '') };
}

/** The `count` best tools of a query by BM25F, best first, and what is seen of each. */
export function readCandidates(query: string, index: Bm25fIndex, owners: Owners, count: number): readonly Candidate[] {
  const words = index.wordsOf(query);
  const { scores, found } = index.score(words);
  const tools = bestTools({ scores, found }, count);
  const sentences = splitSentences(query).map((sentence) => index.wordsOf(sentence));
  const context = { index, owners, tools, scores, words, sentences };
  const bySentence = scoreSentences(context);
  const best = tools.map((_, at) => Math.max(0, ...bySentence.map((row) => row[at] ?? 0)));
  return tools.map((tool, at) => ({
    tool,
    score: scores[tool] ?? 0,
    features: {
      rank: 1 / (1 + at),
      logRank: Math.log(1 + at),
      ...sentenceFeatures(at, best, bySentence),
      ...siblingFeatures(at, best, context),
      ...textFeatures(tool, context),
    },
  }));
}

interface Context {
  readonly index: Bm25fIndex;
  readonly owners: Owners;
  readonly tools: readonly number[];
  readonly scores: Float64Array;
  readonly words: readonly string[];
  readonly sentences: readonly (readonly string[])[];
}

/** `[sentences][tools]` */
function scoreSentences({ index, tools, sentences }: Context): readonly (readonly number[])[] {
  const weights = tools.map((tool) => index.weightsOf(tool));
  return sentences.map((sentence) => weights.map((held) => index.scoreOne(held, sentence)));
}

function sentenceFeatures(at: number, best: readonly number[], bySentence: readonly (readonly number[])[]) {
  const own = best[at] ?? 0;
  const tops = bySentence.map((row) => Math.max(...row));
  const shares = bySentence.map((row, sentence) => share(row[at] ?? 0, tops[sentence] ?? 0));
  return {
    bestSentence: share(own, Math.max(...best)),
    rankBySentence: 1 / (1 + best.filter((other) => other > own).length),
    shareOfSentence: Math.max(0, ...shares),
    firstOfSentence: shares.includes(1) ? 1 : 0,
  };
}

function siblingFeatures(at: number, best: readonly number[], { owners, tools, scores }: Context) {
  const tool = tools[at] ?? 0;
  const owner = owners.of[tool] ?? '';
  const all = owners.tools.get(owner) ?? [];
  const found = tools.flatMap((other, place) => (place !== at && owners.of[other] === owner ? [place] : []));
  const score = scores[tool] ?? 0;
  const bestOther = all.reduce((max, other) => (other === tool ? max : Math.max(max, scores[other] ?? 0)), 0);
  const bestSentences = found.map((place) => best[place] ?? 0);
  return {
    bestSibling: share(bestOther, scores[tools[0] ?? 0] ?? 0),
    bestSiblingSentence: share(Math.max(0, ...bestSentences), Math.max(...best)),
    siblings: Math.log(all.length),
    rankAmongSiblings: 1 / (1 + found.filter((place) => (scores[tools[place] ?? 0] ?? 0) > score).length),
    sentenceRankAmongSiblings: 1 / (1 + bestSentences.filter((other) => other > (best[at] ?? 0)).length),
    siblingsFound: found.length / tools.length,
  };
}

function textFeatures(tool: number, { index, words, sentences }: Context) {
  const fields = index.fieldsOf(tool);
  const [name, owner, description] = [new Set(fields.own), new Set(fields.group), new Set(fields.description)];
  const ownName = without(name, owner);
  const heldBest = (wanted: ReadonlySet<string>): number =>
    Math.max(0, ...sentences.map((sentence) => heldShare(wanted, sentence, index)));
  const all = [...new Set(Object.values(fields).flat())];
  return {
    nameInSentence: heldBest(name),
    ownNameInSentence: heldBest(ownName.size === 0 ? name : ownName),
    ownerInSentence: heldBest(owner),
    descriptionFound: heldShare(description, words, index),
    textInSentence: heldBest(without(new Set([...name, ...description]), owner)),
    queryFound: heldShare(new Set(words), all, index),
    nameLength: Math.log(1 + name.size),
    descriptionLength: Math.log(1 + description.size),
  };
}

function without(words: ReadonlySet<string>, left: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...words].filter((word) => !left.has(word)));
}

/** How much of `wanted` is among the words, each by its rarity; 0 to 1. */
function heldShare(wanted: ReadonlySet<string>, words: readonly string[], index: Bm25fIndex): number {
  let held = 0;
  let all = 0;
  for (const word of wanted) all += index.rarityOf(word);
  for (const word of words) if (wanted.has(word)) held += index.rarityOf(word);
  return share(held, all);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
