import type { RankFeatures } from './rank-features.ts';

/**
 * Learned by bench/tools/fit-rank-weights.ts from 3,000 queries made of the documentation of 2,490 APIs (`makeQueries`,
 * seed 1). No query that a person or a model wrote took part.
 */
export const rankWeights: Readonly<Record<keyof RankFeatures, number>> = {
  rank: 1.2438,
  logRank: -0.471,
  bestSentence: 0.2434,
  rankBySentence: 1.078,
  shareOfSentence: 2.2488,
  firstOfSentence: 1.3883,
  bestSibling: 0.8162,
  bestSiblingSentence: 0.6561,
  siblings: -0.5215,
  rankAmongSiblings: -0.9754,
  sentenceRankAmongSiblings: -0.4371,
  siblingsFound: -0.8004,
  nameInSentence: 1.1899,
  ownNameInSentence: 0.4839,
  ownerInSentence: 0.5316,
  descriptionFound: -0.1199,
  textInSentence: 1.368,
  queryFound: 1.1609,
  nameLength: -0.3022,
  descriptionLength: -0.0589,
};
