import type { JsonValue } from '@unroll/engine';
import {
  averagePrecision,
  ndcgAt,
  ndcgReturnedOnlyAt,
  precisionAt,
  recallAt,
  reciprocalRank,
} from '../scorers/rank-metrics.ts';
import { defineEvaluator, type Evaluator, type EvaluatorInput, type Score, type Unscored } from './evaluator.ts';
import { expectedIds, idParameters, idReader, idsIn, isUnreadableList, listOfText } from './ranked-ids.ts';

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
          if (isUnreadableList(expected))
            return { unscored: 'expected looks like a list and is no JSON', isError: true };
          const relevant = expectedIds(expected);
          if (relevant === undefined) return { unscored: 'expected is no id' };
          if (relevant.size === 0) return { unscored: 'no expectation' };
          const given = listOfText(value);
          const returned = idsOf(given);
          const unread = whyUnread(given, returned, parameters.id);
          return unread ?? rank(returned, relevant, k, read) ?? { unscored: 'no expectation' };
        },
      };
    },
  });
}

/** Nothing at all is a search that found nothing; what holds no ids is no ranking. */
function whyUnread(value: JsonValue, returned: readonly string[], id: string): Unscored | undefined {
  if (isUnreadableList(value)) return { unscored: 'what was returned looks like a list and is no JSON', isError: true };
  if (value === null || typeof value === 'string') return undefined;
  if (!Array.isArray(value)) {
    return { unscored: 'what was returned is neither a list nor a text', isError: true };
  }
  const isWithout = value.length > 0 && returned.length === 0;
  return isWithout ? { unscored: `nothing that was returned has "${id}"`, isError: true } : undefined;
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
    return ndcgReturnedOnlyAt(returned, relevant, idsIn(corpus), k);
  },
  [{ name: 'corpus', about: 'Ids there are; others take no rank. What was returned where absent.', kinds: ['list'] }],
);
