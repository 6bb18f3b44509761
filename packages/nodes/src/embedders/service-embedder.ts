import {
  addUsage,
  type Embedder,
  type EmbedResult,
  type Fusion,
  type JsonValue,
  type ModelReply,
  type ModelService,
  type Usage,
} from '@unroll/engine';
import { callWithRetries, defaultRetryRule } from '../llm/call-with-retries.ts';
import { type Clock, ConcurrencyLimiter } from '../llm/concurrency-limiter.ts';

/** What is asked of an embedding model behind a connection. */
export interface EmbeddingModel {
  /** Name of the model, or of the deployment at Azure. */
  readonly model: string;
  /** Shorter vectors than the model's own, where it can give them. */
  readonly dimensions?: number | undefined;
}

/** Texts in one request: services take up to 2,048, and so many tokens in all (OpenAI: 300,000). */
const maxTexts = 256;
/** In UTF-16 units, none of which is more than two tokens. */
const maxCharacters = 100_000;

/**
 * As with the offline embedder. Of four ways and eleven weights none did more for queries made of documents themselves without
 * losing what words alone find (bench/fit-fusion.ts with EMBEDDINGS, a multilingual model); no judged query took part.
 */
const fusion: Fusion = { method: 'relative', weights: { keyword: 0.6, vector: 0.4 } };

/** An embedding model behind the OpenAI wire format, asked in batches; a failure that may pass is tried again. */
export function serviceEmbedder(service: ModelService, { model, dimensions }: EmbeddingModel, clock: Clock): Embedder {
  const gate = new ConcurrencyLimiter();
  const shared = { model, ...(dimensions === undefined ? {} : { dimensions }) };
  return {
    model: dimensions === undefined ? model : `${model} (${dimensions})`,
    fusion,
    async embed(texts, _purpose, signal): Promise<EmbedResult> {
      const vectors: Float32Array[] = [];
      let usage: Usage | undefined;
      for (const batch of batchesOf(texts)) {
        const options = { rule: defaultRetryRule, gate, clock };
        const { result } = await callWithRetries(
          service,
          'embedding',
          { ...shared, input: batch },
          { signal },
          options,
        );
        if (!result.ok) return { ok: false, error: result.error };
        const given = vectorsOf(result.reply, batch.length);
        const wrong = whyUnusable(given, batch.length, { model, dimensions });
        if (wrong !== undefined) return unusable(wrong);
        vectors.push(...given);
        usage = added(usage, result.reply.usage);
      }
      return { ok: true, vectors, ...(usage === undefined ? {} : { usage }) };
    },
  };
}

function vectorsOf({ body, whole }: ModelReply, count: number): readonly Float32Array[] {
  const given = count === 1 ? [body] : ((whole ?? []) as readonly JsonValue[]);
  return given.map((vector) => Float32Array.from(vector as readonly number[]));
}

function* batchesOf(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length >= maxTexts || (batch.length > 0 && characters + text.length > maxCharacters)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}

function whyUnusable(
  given: readonly Float32Array[],
  asked: number,
  { model, dimensions }: EmbeddingModel,
): string | undefined {
  if (given.length !== asked) return `the model ${model} was asked for ${asked} vectors and gave ${given.length}`;
  // Some services, and packages of providers, leave the number out without a word.
  const other = given.find(({ length }) => dimensions !== undefined && length !== dimensions)?.length;
  return other === undefined
    ? undefined
    : `the model ${model} was asked for vectors of ${dimensions} numbers and gave ${other}: leave dimensions out`;
}

function unusable(message: string): EmbedResult {
  return { ok: false, error: { code: 'EmbeddingError', message, retryable: false } };
}

function added(sum: Usage | undefined, one: Usage | undefined): Usage | undefined {
  return one === undefined ? sum : addUsage(sum, one);
}
