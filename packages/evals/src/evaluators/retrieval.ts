import {
  averagePrecision,
  ndcgAt,
  ndcgReturnedOnlyAt,
  precisionAt,
  recallAt,
  reciprocalRank,
} from '../scorers/rank-metrics.ts';
import { defineEvaluator, type Evaluator, type EvaluatorInput, type Score } from './evaluator.ts';
import { expectedIds, idParameters, idReader } from './ranked-ids.ts';

type Rank = (
  returned: readonly string[],
  relevant: ReadonlySet<string>,
  k: number,
  reads: EvaluatorInput['reads'],
) => Score | undefined;

/** A metric of a ranking; a row where nothing is relevant has no score. */
function rankEvaluator(name: string, about: string, rank: Rank, reads: Evaluator['reads'] = []): Evaluator {
  return defineEvaluator({
    name,
    about,
    parameters: idParameters,
    reads,
    takesK: true,
    expected: 'needed',
    measures: 'value',
    prepare: ({ k = Number.POSITIVE_INFINITY, ...parameters }) => {
      const idsOf = idReader(parameters);
      return {
        kind: 'number',
        range: [0, 1],
        better: 'higher',
        score: ({ value, expected = null, reads: read }) => {
          const relevant = expectedIds(expected);
          if (relevant.size === 0) return { unscored: 'no expectation' };
          return rank(idsOf(value), relevant, k, read) ?? { unscored: 'no expectation' };
        },
      };
    },
  });
}

export const precision = rankEvaluator('precision', 'share of the first k that is relevant', (returned, relevant, k) =>
  precisionAt(returned, relevant, Number.isFinite(k) ? k : Math.max(1, returned.length)),
);

export const recall = rankEvaluator('recall', 'share of the relevant that is among the first k', recallAt);

export const mrr = rankEvaluator('mrr', '1 over the rank of the first relevant one', (returned, relevant, k) =>
  reciprocalRank(returned.slice(0, k), relevant),
);

export const map = rankEvaluator('map', 'mean of the precision at each relevant one', (returned, relevant, k) =>
  averagePrecision(returned.slice(0, k), relevant),
);

export const ndcg = rankEvaluator('ndcg', 'NDCG with binary gains over the first k', ndcgAt);

/** As ToolGen's script has it; ids outside the corpus take no rank, so `corpus` says what there is. */
export const ndcgReturnedOnly = rankEvaluator(
  'ndcg_returned_only',
  "NDCG as ToolGen's script has it: what was not returned costs nothing",
  (returned, relevant, k, { corpus = returned }) => {
    if (!Array.isArray(corpus)) return { unscored: 'corpus is no list', isError: true };
    return ndcgReturnedOnlyAt(returned, relevant, expectedIds(corpus), k);
  },
  [{ name: 'corpus', about: 'Ids there are; others take no rank. What was returned where absent.', kinds: ['list'] }],
);
