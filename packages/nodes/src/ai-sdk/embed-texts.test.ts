import { expect, test } from 'vitest';
import { embedTexts } from './embed-texts.ts';

const { signal } = new AbortController();

test('a call that gives too few vectors is not made up for by the next one', async () => {
  const left = [[[1]], [[2], [3], [4]]];
  const model = { maxEmbeddingsPerCall: 2, doEmbed: async () => ({ embeddings: left.shift() ?? [] }) };
  const read = await embedTexts(model, { input: ['a', 'b', 'c', 'd'] }, signal);
  const message = 'the service was sent 2 texts and answered 1 usable vectors';
  expect(read).toMatchObject({ ok: false, problem: { message } });
});
