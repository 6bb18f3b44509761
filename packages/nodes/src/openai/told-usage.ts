import type { Usage, UsageDetails } from '@unroll/engine';
import * as z from 'zod';
import { shownJson } from '../http/quoted.ts';

/** Tokens of a call as told, as far as they can be believed. */
export interface ToldUsage {
  readonly usage?: Usage;
  /** What was not believed. */
  readonly warnings: readonly string[];
}

/** No model reads or writes so many tokens in one call. */
const mostTokens = 1e9;
const count = z.int().min(0).max(mostTokens);
const part = count.nullish().catch(null);
const object = z.record(z.string(), z.unknown());

const promptDetails = z.object({ cached_tokens: part, cache_write_tokens: part, audio_tokens: part });
const completionDetails = z.object({
  reasoning_tokens: part,
  audio_tokens: part,
  accepted_prediction_tokens: part,
  rejected_prediction_tokens: part,
});

/**
 * The `usage` of an answer in OpenAI's wire format. What is no count of tokens (a broken number, a text, more than 10⁹) is left
 * out and told: the whole where prompt or completion is doubtful, else the part.
 */
export function readUsage(told: unknown): ToldUsage {
  if (told === undefined || told === null) return { warnings: [] };
  const whole = object.safeParse(told);
  if (!whole.success) return doubted('usage', told);
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = whole.data;
  if (!isCount(prompt)) return doubted('usage.prompt_tokens', prompt);
  // Embeddings have no completion.
  if (!isCount(completion ?? 0)) return doubted('usage.completion_tokens', completion);
  const [promptTokens, completionTokens] = [prompt, Number(completion ?? 0)];
  const sum = promptTokens + completionTokens;
  const { warnings } = isCount(total ?? sum) ? { warnings: [] } : doubted('usage.total_tokens', total);
  const read = readDetails(whole.data, promptTokens, completionTokens);
  return {
    usage: {
      promptTokens,
      completionTokens,
      totalTokens: isCount(total) ? total : sum,
      ...(read.details === undefined ? {} : { details: read.details }),
    },
    warnings: [...warnings, ...read.warnings],
  };
}

export function isCount(value: unknown): value is number {
  return count.safeParse(value).success;
}

/** A part that is more than its whole is doubtful too. */
function readDetails(
  usage: Readonly<Record<string, unknown>>,
  promptTokens: number,
  completionTokens: number,
): { readonly details?: UsageDetails; readonly warnings: readonly string[] } {
  const prompt = promptDetails.safeParse(usage['prompt_tokens_details']).data;
  const completion = completionDetails.safeParse(usage['completion_tokens_details']).data;
  const parts = [
    ['cachedTokens', prompt?.cached_tokens, promptTokens],
    ['cacheWriteTokens', prompt?.cache_write_tokens, promptTokens],
    ['audioPromptTokens', prompt?.audio_tokens, promptTokens],
    ['reasoningTokens', completion?.reasoning_tokens, completionTokens],
    ['audioCompletionTokens', completion?.audio_tokens, completionTokens],
    ['acceptedPredictionTokens', completion?.accepted_prediction_tokens, completionTokens],
    ['rejectedPredictionTokens', completion?.rejected_prediction_tokens, completionTokens],
  ] as const;
  const kept = parts.flatMap(([name, value, most]) => (value && value <= most ? [[name, value] as const] : []));
  const doubtful = parts.flatMap(([name, value, most]) => (value && value > most ? [[name, value] as const] : []));
  return {
    ...(kept.length === 0 ? {} : { details: Object.fromEntries(kept) }),
    warnings: doubtful.flatMap(([name, value]) => doubted(name, value).warnings),
  };
}

export function doubted(name: string, value: unknown): ToldUsage {
  const shown = value === undefined ? 'nothing' : shownJson(value).slice(0, 80);
  return { warnings: [`the service told ${name} as ${shown}, which is no count of tokens: not counted`] };
}
