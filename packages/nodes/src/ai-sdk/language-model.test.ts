import { createAnthropic } from '@ai-sdk/anthropic';
import { createAnthropic as createOlderAnthropic } from '@ai-sdk/anthropic-v3';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createMistral } from '@ai-sdk/mistral';
import { expect, expectTypeOf, test } from 'vitest';
import type { CallOptions, EmbeddingModel, GenerateResult, LanguageModel } from './language-model.ts';

const key = { apiKey: 'k' };
const models = [
  ['v4', createAnthropic(key).languageModel('m')],
  ['v3', createOlderAnthropic(key).languageModel('m')],
  ['v4', createGoogleGenerativeAI(key).languageModel('m')],
  ['v4', createMistral(key).languageModel('m')],
] as const;
type Published = (typeof models)[number][1];

test.for(models)('a published model of version %s has what we use of it', ([version, model]) => {
  const seen: Pick<LanguageModel, 'specificationVersion' | 'supportedUrls'> = model;
  expect(seen.specificationVersion).toBe(version);
  expectTypeOf<Awaited<ReturnType<Published['doGenerate']>>>().toExtend<GenerateResult>();
  expectTypeOf<keyof CallOptions>().toExtend<keyof Parameters<(typeof models)[0][1]['doGenerate']>[0]>();
});

test('so has a published embedding model', () => {
  const embedder: Pick<EmbeddingModel, 'maxEmbeddingsPerCall'> = createMistral(key).embeddingModel('mistral-embed');
  expect(embedder.maxEmbeddingsPerCall).toBe(32);
});
