import { createAnthropic } from '@ai-sdk/anthropic';
import { createAnthropic as createOlderAnthropic } from '@ai-sdk/anthropic-v3';
import { createCohere } from '@ai-sdk/cohere';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createGroq } from '@ai-sdk/groq';
import { createMistral } from '@ai-sdk/mistral';
import { createXai } from '@ai-sdk/xai';
import { createOllama } from 'ollama-ai-provider-v2';
import { expect, expectTypeOf, test } from 'vitest';
import type { CallOptions, EmbeddingModel, GenerateResult, LanguageModel } from './language-model.ts';

const key = { apiKey: 'k' };
const models = [
  ['v4', createAnthropic(key).languageModel('m')],
  ['v3', createOlderAnthropic(key).languageModel('m')],
  ['v4', createGoogleGenerativeAI(key).languageModel('m')],
  ['v4', createMistral(key).languageModel('m')],
  ['v4', createCohere(key).languageModel('m')],
  ['v4', createDeepSeek(key).languageModel('m')],
  ['v4', createGroq(key).languageModel('m')],
  ['v4', createXai(key).languageModel('m')],
  ['v4', createOllama().languageModel('m')],
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
