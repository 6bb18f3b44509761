import { describe, expect, test } from 'vitest';
import { averagePrecision, ndcgAt, ndcgReturnedOnlyAt, precisionAt, recallAt, reciprocalRank } from './rank-metrics.ts';

const relevant = new Set(['a', 'b']);

describe('one returned twice keeps its place and gains nothing there', () => {
  test.for<readonly [name: string, found: number | undefined, wanted: number]>([
    ['the only relevant one behind a duplicate', ndcgAt(['x', 'x', 'a'], new Set(['a']), 5), 1 / Math.log2(4)],
    ['a relevant one twice', ndcgAt(['a', 'a', 'b'], relevant, 5), (1 + 1 / Math.log2(4)) / (1 + 1 / Math.log2(3))],
    ['all of the first are one', ndcgAt(['a', 'a', 'a', 'b'], relevant, 3), 1 / (1 + 1 / Math.log2(3) + 0)],
    ['precision', precisionAt(['a', 'a', 'x', 'b'], relevant, 3), 1 / 3],
    ['recall', recallAt(['a', 'a', 'x', 'b'], relevant, 3), 1 / 2],
    ['recall, one place further', recallAt(['a', 'a', 'x', 'b'], relevant, 4), 1],
    ['reciprocal rank', reciprocalRank(['x', 'x', 'a'], relevant), 1 / 3],
    ['average precision', averagePrecision(['a', 'a', 'b'], relevant), (1 + 2 / 3) / 2],
    ['nothing is relevant', ndcgAt(['a'], new Set(), 5) ?? -1, -1],
  ])('%s', ([, found, wanted]) => {
    expect(found).toBeCloseTo(wanted, 12);
  });
});

test("ToolGen's figure gives a rank to neither a duplicate nor an invented one", () => {
  expect(ndcgReturnedOnlyAt(['x', 'x', 'made-up', 'a'], relevant, new Set(['a', 'b', 'x']), 5)).toBeCloseTo(
    1 / Math.log2(3),
    12,
  );
});
