import type { DescribedTool } from './catalogue-tool.ts';
import { linearCongruential } from './linear-congruential.ts';
import { splitWords } from './split-words.ts';

/** A query made from the documentation of the tools it asks for. */
export interface MadeQuery {
  readonly query: string;
  /** Places of the tools in the catalogue. */
  readonly relevant: readonly number[];
}

/** How often things are said in a made query; shares from 0 to 1. */
const habits = {
  threeTools: 0.35,
  sameOwner: 0.5,
  sameCategory: 0.4,
  nameWord: 0.6,
  descriptionWord: 0.3,
  argumentWord: 0.25,
  owner: 0.4,
  joined: 0.25,
  category: 0.2,
};
const longestDescription = 200;
const maxDescriptionWords = 14;

/**
 * Queries as users might ask them, made from nothing but the documentation: two or three tools of one owner, of one
 * category or of anywhere; a sentence for each of them with some words of its name, its description and its arguments
 * among words of other tools; an opening sentence that is beside the point. The same seed gives the same queries.
 */
export function makeQueries(tools: readonly DescribedTool[], count: number, seed: number): readonly MadeQuery[] {
  const random = linearCongruential(seed);
  const byOwner = Map.groupBy(tools.keys(), (at) => ownerOf(tools, at));
  const byCategory = Map.groupBy(tools.keys(), (at) => tools[at]?.category ?? '');
  const maker = new QueryMaker(tools, byOwner, byCategory, random);
  return Array.from({ length: tools.length === 0 ? 0 : count }, () => maker.make());
}

class QueryMaker {
  private readonly tools: readonly DescribedTool[];
  private readonly byOwner: ReadonlyMap<string, readonly number[]>;
  private readonly byCategory: ReadonlyMap<string, readonly number[]>;
  private readonly random: () => number;

  constructor(
    tools: readonly DescribedTool[],
    byOwner: ReadonlyMap<string, readonly number[]>,
    byCategory: ReadonlyMap<string, readonly number[]>,
    random: () => number,
  ) {
    this.tools = tools;
    this.byOwner = byOwner;
    this.byCategory = byCategory;
    this.random = random;
  }

  make(): MadeQuery {
    const relevant = this.chooseTools();
    const category = this.toolAt(relevant[0]).category;
    const opening = this.strayWords(3 + this.below(5), category);
    if (this.random() < habits.category) opening.push(category);
    const sentences = [opening.join(' ')];
    const named = new Set<string>();
    for (const tool of relevant) {
      const sentence = this.sentenceOf(tool, named).join(' ');
      const isJoined = sentences.length > 1 && this.random() < habits.joined;
      if (isJoined) sentences.push(`${sentences.pop()} and ${sentence}`);
      else sentences.push(sentence);
    }
    if (this.random() < 0.3) sentences.push(this.strayWords(4, category).join(' '));
    return { query: `${sentences.join('. ')}.`, relevant };
  }

  private chooseTools(): readonly number[] {
    const kind = this.random();
    const first = this.below(this.tools.length);
    const count = this.random() < habits.threeTools ? 3 : 2;
    const siblings = this.byOwner.get(ownerOf(this.tools, first)) ?? [first];
    if (kind < habits.sameOwner) return this.some(siblings, count);
    const isNear = kind < habits.sameOwner + habits.sameCategory;
    const pool = isNear ? (this.byCategory.get(this.toolAt(first).category) ?? []) : [...this.tools.keys()];
    const others = this.byOwner.get(ownerOf(this.tools, pool[this.below(pool.length)] ?? first)) ?? [];
    const shares = [1, 1].map((share) => share + (count === 3 && this.random() < 0.5 ? 1 : 0));
    return [...new Set([...this.some(siblings, shares[0] ?? 1), ...this.some(others, shares[1] ?? 1)])];
  }

  private sentenceOf(at: number, named: Set<string>): readonly string[] {
    const tool = this.toolAt(at);
    const owner = ownerOf(this.tools, at);
    const words = [
      ...this.kept(splitWords(tool.own), habits.nameWord * (0.5 + this.random())),
      ...this.kept(
        splitWords(tool.description.slice(0, longestDescription)),
        habits.descriptionWord * (0.3 + 1.4 * this.random()),
      ).slice(0, maxDescriptionWords),
      ...this.kept(argumentWords(tool), habits.argumentWord),
      ...this.strayWords(1 + this.below(5), tool.category),
    ];
    if (!named.has(owner) && this.random() < habits.owner) words.push(...this.kept(splitWords(tool.group), 0.9));
    named.add(owner);
    return words;
  }

  /** Words of other tools, half of them of the same category. */
  private strayWords(count: number, category: string): string[] {
    const near = this.byCategory.get(category) ?? [];
    return Array.from({ length: count }, () => {
      const other = this.random() < 0.5 ? this.below(this.tools.length) : near[this.below(near.length)];
      const words = splitWords(this.toolAt(other).description);
      return words[this.below(words.length)] ?? 'thing';
    });
  }

  private toolAt(at: number | undefined): DescribedTool {
    const tool = this.tools[at ?? 0];
    if (tool === undefined) throw new Error('bug: queries are made of no tools');
    return tool;
  }

  private kept(words: readonly string[], share: number): string[] {
    return words.filter(() => this.random() < share);
  }

  private some(members: readonly number[], count: number): readonly number[] {
    const left = [...members];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(this.below(left.length), 1)[0] ?? 0);
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }
}

function ownerOf(tools: readonly DescribedTool[], at: number): string {
  const { category = '', group = '' } = tools[at] ?? {};
  return group === '' ? `\0${at}` : `${category}\0${group}`;
}

function argumentWords({ parameters }: DescribedTool): readonly string[] {
  return Object.keys((parameters['properties'] as Readonly<Record<string, unknown>> | undefined) ?? {}).flatMap(
    (name) => splitWords(name),
  );
}
