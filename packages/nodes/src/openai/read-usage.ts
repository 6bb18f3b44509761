import type { Usage, UsageDetails } from '@unroll/engine';
import { cutText } from '@unroll/engine/values';
import { shownJson } from '../http/quoted.ts';

/** Tokens of a call as told, as far as they can be believed. */
export interface CountedUsage {
  readonly usage?: Usage;
  /** What was not believed. */
  readonly warnings: readonly string[];
}

/** No model reads or writes so many tokens in one call. */
const maxTokens = 1e9;

/** Where a service tells a part, and of what it is one. */
const parts = [
  ['cachedTokens', 'prompt', 'cached_tokens'],
  ['cacheWriteTokens', 'prompt', 'cache_write_tokens'],
  ['audioPromptTokens', 'prompt', 'audio_tokens'],
  ['reasoningTokens', 'completion', 'reasoning_tokens'],
  ['audioCompletionTokens', 'completion', 'audio_tokens'],
  ['acceptedPredictionTokens', 'completion', 'accepted_prediction_tokens'],
  ['rejectedPredictionTokens', 'completion', 'rejected_prediction_tokens'],
] as const satisfies readonly (readonly [keyof UsageDetails, 'prompt' | 'completion', string])[];

/** What some services that speak this format call them instead: the names of OpenAI's Responses API. */
const otherNames = { prompt: 'input', completion: 'output' } as const;

/**
 * The `usage` of an answer in OpenAI's wire format. What is no count of tokens (a broken number, a text, more than 10⁹) is left
 * out and told: the whole where prompt or completion is doubtful, else the part.
 */
export function readUsage(usage: unknown): CountedUsage {
  if (usage === undefined || usage === null) return { warnings: [] };
  if (!isObject(usage)) return doubted('usage', usage);
  const [prompt, completion] = [named(usage, 'prompt', '_tokens'), named(usage, 'completion', '_tokens')];
  const { total_tokens: total } = usage;
  if (!isCount(prompt)) return doubted('usage.prompt_tokens', prompt);
  // Embeddings have no completion.
  if (!isCount(completion ?? 0)) return doubted('usage.completion_tokens', completion);
  const [promptTokens, completionTokens] = [prompt, Number(completion ?? 0)];
  const sum = promptTokens + completionTokens;
  const { warnings } = isCount(total ?? sum) ? { warnings: [] } : doubted('usage.total_tokens', total);
  const read = readDetails(usage, { prompt: promptTokens, completion: completionTokens });
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
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= maxTokens;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface ReadDetails {
  readonly details?: UsageDetails;
  readonly warnings: readonly string[];
}

function readDetails(
  usage: Readonly<Record<string, unknown>>,
  counts: Readonly<Record<'prompt' | 'completion', number>>,
): ReadDetails {
  const [prompt, completion] = [
    partsOf(usage, 'prompt', counts.prompt),
    partsOf(usage, 'completion', counts.completion),
  ];
  const details = { ...prompt.details, ...completion.details };
  return {
    ...(Object.keys(details).length === 0 ? {} : { details }),
    warnings: [...prompt.warnings, ...completion.warnings],
  };
}

/** A part that is more than its whole is doubtful too. */
function partsOf(usage: Readonly<Record<string, unknown>>, whole: 'prompt' | 'completion', most: number): ReadDetails {
  const details = named(usage, whole, '_tokens_details') ?? {};
  if (!isObject(details)) return doubted(`usage.${whole}_tokens_details`, details);
  const values = parts
    .filter(([, of]) => of === whole)
    .map(([name, , key]): readonly [string, unknown] => [name, details[key] ?? 0]);
  const isBelieved = (value: unknown): boolean => isCount(value) && value <= most;
  return {
    details: Object.fromEntries(values.filter(([, value]) => value !== 0 && isBelieved(value))),
    warnings: values.flatMap(([name, value]) => (isBelieved(value) ? [] : doubted(name, value).warnings)),
  };
}

function named(usage: Readonly<Record<string, unknown>>, whole: 'prompt' | 'completion', ending: string): unknown {
  return usage[whole + ending] ?? usage[otherNames[whole] + ending];
}

export function doubted(name: string, value: unknown): CountedUsage {
  const shown = value === undefined ? 'nothing' : cutText(shownJson(value), 80);
  return { warnings: [`the service told ${name} as ${shown}, which is no count of tokens: not counted`] };
}
