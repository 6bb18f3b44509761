import type { Embedder } from '@unroll/engine';
import * as z from 'zod';
import { defineEvaluator, type Score } from './evaluator.ts';
import { comparableText, expectedTexts } from './texts.ts';

/** Cosine of the two texts' embeddings, -1 to 1, of several expected texts the nearest; with `at_least`, whether it is reached. */
export const embeddingSimilarity = defineEvaluator({
  name: 'embedding_similarity',
  about: 'how near the text is in meaning to the expected one',
  parameters: z.strictObject({
    at_least: z.number().min(-1).max(1).optional().describe('Passes from this similarity on.'),
    connection: z
      .string()
      .min(1)
      .default('offline')
      .describe(
        'Connection to the embedding model; `offline` compares words and parts of words and knows no synonyms.',
      ),
    model: z.string().min(1).optional().describe('Its model, at Azure the deployment.'),
  }),
  expected: 'needed',
  measures: 'value',
  connectionOf: ({ connection }) => String(connection),
  prepare: ({ at_least: least, connection, model }, { openEmbedder }) => {
    let opened: Promise<Embedder | string> | undefined;
    const open = (): Promise<Embedder | string> => {
      opened ??= openEmbedder?.(connection, model) ?? Promise.resolve('embeddings are not at hand here');
      return opened;
    };
    return {
      kind: least === undefined ? 'number' : 'pass',
      better: 'higher',
      range: [-1, 1],
      score: ({ value, expected = null }): Score | Promise<Score> => {
        const wanted = expectedTexts(expected);
        if (wanted.length === 0) return { unscored: 'no expectation' };
        const text = comparableText(value);
        if (text.trim() === '') return least === undefined ? { unscored: 'no text' } : 0;
        return open().then((embedder) => similarity(embedder, text, wanted, least));
      },
    };
  },
});

const never = new AbortController().signal;

async function similarity(
  embedder: Embedder | string,
  text: string,
  expected: readonly string[],
  least: number | undefined,
): Promise<Score> {
  if (typeof embedder === 'string') return { unscored: embedder, isError: true };
  const embedded = await embedder.embed([text, ...expected], 'document', never);
  if (!embedded.ok) return { unscored: `the embedder failed: ${embedded.error.message}`, isError: true };
  const [one, ...others] = embedded.vectors;
  if (one === undefined || others.length < expected.length)
    return { unscored: 'the embedder gave no vector', isError: true };
  // The offline embedder makes nothing of "us" and "no": their vectors have no direction.
  const comparable = others.filter((other) => other.some((number) => number !== 0));
  const isSame = expected.includes(text);
  if (!isSame && comparable.length === 0) return { unscored: 'the embedder makes nothing of what is expected' };
  const found = isSame ? 1 : Math.max(...comparable.map((other) => cosine(one, other)));
  return least === undefined ? found : Number(found >= least);
}

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
  const length = Math.sqrt(ones * others);
  return length === 0 ? 0 : product / length;
}
