import { Bm25fIndex } from './bm25f-index.ts';
import type { DescribedTool } from './catalogue-tool.ts';
import { fitWeights } from './fit-weights.ts';
import { makeQueries } from './made-queries.ts';
import { ownersOf, type RankFeatures, readCandidates } from './rank-features.ts';

const queries = 3000;
const seed = 1;
/** Tools of one query that are learned from: those that are put in order later. */
const learnedFrom = 50;

/** Weights of `RankFeatures`, learned from queries made of the documentation of these tools and of nothing else. */
export function fitRankWeights(tools: readonly DescribedTool[]): Readonly<Record<keyof RankFeatures, number>> {
  const index = new Bm25fIndex(tools);
  const owners = ownersOf(tools);
  const rows = makeQueries(tools, queries, seed).flatMap(({ query, relevant }) =>
    readCandidates(query, index, owners, learnedFrom).map(({ tool, features }) => ({
      features: { ...features },
      isRight: relevant.includes(tool),
    })),
  );
  return fitWeights(rows) as Readonly<Record<keyof RankFeatures, number>>;
}
