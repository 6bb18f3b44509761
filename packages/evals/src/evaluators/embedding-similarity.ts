import { z } from 'zod';
import { defineEvaluator, type Score } from './evaluator.ts';
import { textOf } from './texts.ts';

/** Cosine of the two texts' embeddings, -1 to 1; with `at_least`, whether it is reached. */
export const embeddingSimilarity = defineEvaluator({
  name: 'embedding_similarity',
  about: 'how near the text is in meaning to the expected one',
  parameters: z.strictObject({
    at_least: z.number().min(-1).max(1).optional().describe('Passes from this similarity on.'),
  }),
  expected: 'needed',
  measures: 'value',
  prepare: ({ at_least: least }, { embedder }) => ({
    kind: least === undefined ? 'number' : 'pass',
    better: 'higher',
    score: ({ value, expected = null }): Score | Promise<Score> => {
      if (embedder === undefined) return { unscored: 'there is no embedder', isError: true };
      if (expected === null) return { unscored: 'no expectation' };
      const text = textOf(value);
      if (text.trim() === '') return least === undefined ? { unscored: 'no text' } : 0;
      return embedder.embed([text, textOf(expected)]).then(
        ([one, other]) => {
          if (one === undefined || other === undefined)
            return { unscored: 'the embedder gave no vector', isError: true };
          const similarity = cosine(one, other);
          return least === undefined ? similarity : Number(similarity >= least);
        },
        (error: unknown) => ({ unscored: `the embedder failed: ${messageOf(error)}`, isError: true }),
      );
    },
  }),
});

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let product = 0;
  let ones = 0;
  let others = 0;
  for (let at = 0; at < one.length; at += 1) {
    const [left, right] = [one[at] as number, other[at] as number];
    product += left * right;
    ones += left * left;
    others += right * right;
  }
  return product / Math.sqrt(ones * others);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
