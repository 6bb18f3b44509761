import { expect, test } from 'vitest';
import { embedTexts } from './embed-texts.ts';

const { signal } = new AbortController();

test('a call that gives too few vectors is not made up for by the next one', async () => {
  const left = [[[1]], [[2], [3], [4]]];
  const model = { maxEmbeddingsPerCall: 2, doEmbed: async () => ({ embeddings: left.shift() ?? [] }) };
  const read = await embedTexts(model, { input: ['a', 'b', 'c', 'd'] }, signal);
  const message =
    'the service was sent 2 texts and answered 1 vectors, 1 of them usable: of numbers, not all zero, as long as the first';
  expect(read).toMatchObject({ ok: false, problem: { message } });
});

test('vectors of different lengths are none', async () => {
  const model = {
    maxEmbeddingsPerCall: 1,
    doEmbed: async ({ values: [text = ''] }: { readonly values: readonly string[] }) => ({
      embeddings: [[...text].map(Number)],
    }),
  };
  const read = await embedTexts(model, { input: ['12', '345'] }, signal);
  const message = expect.stringContaining('was sent 2 texts and answered 2 vectors, 1 of them usable');
  expect(read).toMatchObject({ ok: false, problem: { message } });
});

test('a package that would take no text a call is given one', async () => {
  const model = { maxEmbeddingsPerCall: 0, doEmbed: async () => ({ embeddings: [[1]] }) };
  expect(await embedTexts(model, { input: ['a', 'b'] }, signal)).toMatchObject({ ok: true });
});
