import type { JsonValue, ModelRequest } from '@unroll/engine';
import type { ReadAnswer } from '../openai/read-answer.ts';
import type { EmbeddingModel } from './language-model.ts';
import { optionsOf } from './provider-prompt.ts';
import { readVectors } from './read-provider-answer.ts';

/** An embedding request, in as many calls as the provider needs for so many texts. */
export async function embedTexts(
  model: EmbeddingModel,
  request: ModelRequest,
  abortSignal: AbortSignal,
): Promise<ReadAnswer> {
  const { input = '', dimensions = null } = request;
  const texts = (Array.isArray(input) ? (input as readonly JsonValue[]) : [input]).map(String);
  // A package that says 0 would be asked without end.
  const max = Math.max(1, (await model.maxEmbeddingsPerCall) ?? texts.length);
  const shared = {
    abortSignal,
    ...(dimensions === null ? {} : { dimensions: Number(dimensions) }),
    ...optionsOf(request),
  };
  const vectors: (readonly number[])[] = [];
  let tokens: number | undefined;
  for (let from = 0; from < texts.length; from += max) {
    const values = texts.slice(from, from + max);
    const result = await model.doEmbed({ ...shared, values });
    const read = readVectors(result.embeddings, undefined, values.length);
    if (!read.ok) return read;
    vectors.push(...result.embeddings);
    const counted = result.usage?.tokens;
    if (typeof counted === 'number') tokens = (tokens ?? 0) + counted;
  }
  return readVectors(vectors, tokens, texts.length);
}
