import type { JsonObject, JsonValue } from '@unroll/engine';
import { ownValue } from '@unroll/engine';
import * as z from 'zod';
import { endWarnings } from '../openai/end-warnings.ts';
import { errorInAnswer, isDirection, type ReadAnswer, replyOf, unusable } from '../openai/read-answer.ts';
import { type CountedUsage, doubted, isCount, readUsage } from '../openai/read-usage.ts';
import { roundedWarnings } from '../openai/rounded-arguments.ts';
import { firstIssue } from '../openai/schema-issue.ts';
import type { GenerateResult } from './language-model.ts';

const metadata = z.record(z.string(), z.unknown()).nullish();
const textPart = z.looseObject({ type: z.literal('text'), text: z.string() });
const reasoningPart = z.looseObject({
  type: z.literal('reasoning'),
  text: z.string(),
  providerMetadata: metadata,
});
const callPart = z.looseObject({
  type: z.literal('tool-call'),
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.string(),
  providerExecuted: z.boolean().nullish(),
  providerMetadata: metadata,
});
const otherPart = z.looseObject({ type: z.string() });
const filePart = z.looseObject({ type: z.literal('file'), mediaType: z.string().optional() });
const known = ['text', 'reasoning', 'tool-call', 'file'];
const part = z.union([
  textPart,
  reasoningPart,
  callPart,
  filePart,
  otherPart.refine(({ type }) => !known.includes(type)),
]);

const answer = z.looseObject({
  content: z.array(part),
  finishReason: z.looseObject({ unified: z.string(), raw: z.string().nullish() }),
  usage: z.unknown().optional(),
});

type Part = z.infer<typeof part>;
type TextPart = z.infer<typeof textPart>;
type ReasoningPart = z.infer<typeof reasoningPart>;
type CallPart = z.infer<typeof callPart>;
type FilePart = z.infer<typeof filePart>;

/** As Chat Completions names them. */
const finishReasons: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

/**
 * An answer of the AI SDK (`LanguageModelV4GenerateResult`) as a chat model's of OpenAI. What the provider wants back with the
 * next request stands in `provider_options` of a call and of the parts of `reasoning`.
 *
 * @param asFunction the call is told as `function_call`, as older flows ask for it
 */
export function readProviderAnswer(
  result: GenerateResult,
  api: 'chat' | 'completion',
  asFunction: boolean,
  notSent: readonly string[] = [],
): ReadAnswer {
  const read = answer.safeParse(result);
  if (!read.success) {
    return { ok: false, problem: unusable(`the answer cannot be used: ${firstIssue(read.error)}`, result.content) };
  }
  const { content, finishReason, usage } = read.data;
  if (content.length === 0 && !toldReason(finishReason)) return nothingIn(result);
  const text = content
    .filter((one): one is TextPart => one.type === 'text')
    .map((one) => one.text)
    .join('');
  const calls = content.filter(isOwnCall);
  const reason = reasonOf(finishReason);
  const isRefused = reason === 'content_filter' && text === '' && calls.length === 0;
  const message = {
    ...messageOf(text, calls, asFunction),
    ...reasoningOf(content),
    ...(isRefused ? { refusal: `the model gave no answer (${finishReason.raw ?? reason})` } : {}),
  };
  const counted = countedTokens(usage);
  const ended = endWarnings(reason, text === '' && calls.length === 0);
  const rounded = roundedWarnings(calls.map(({ toolName, input }) => ({ name: toolName, input })));
  const told = (result.warnings ?? []).map(warningText);
  const warnings = [...notSent, ...told, ...ended, ...filesLeftOut(content), ...rounded, ...counted.warnings];
  const choice = { index: 0, finish_reason: reason, stop_reason: null, message };
  const whole = { ...nameOf(result), choices: [choice] };
  return { ok: true, reply: replyOf(api === 'chat' ? message : text, counted.usage, warnings, whole) };
}

/** A turn of Anthropic's that was paused is no whole one, though its package calls it stopped. */
function reasonOf({ unified, raw }: z.infer<typeof answer>['finishReason']): string {
  if (raw === 'pause_turn') return raw;
  return finishReasons[unified] ?? raw ?? unified;
}

/** Reasons that a provider may have concluded without a word of the service. */
const ownReasons: ReadonlySet<unknown> = new Set(['stop', 'length', 'content-filter', 'tool-calls']);

/** Whether the service told why its answer ended. */
export function toldReason(reason: { readonly unified?: unknown; readonly raw?: unknown } | undefined): boolean {
  return typeof reason?.raw === 'string' || ownReasons.has(reason?.unified);
}

/** What came was no answer: an error that the service told with HTTP 200, or something else. */
function nothingIn({ response }: GenerateResult): ReadAnswer {
  const problem = errorInAnswer(response?.body) ?? unusable('the answer is empty and tells no reason', response?.body);
  return { ok: false, problem };
}

/** Calls that the provider made itself are part of how it came to its answer. */
function isOwnCall(one: Part): one is CallPart {
  return one.type === 'tool-call' && (one as CallPart).providerExecuted !== true;
}

function filesLeftOut(content: readonly Part[]): readonly string[] {
  const files = content.filter((one): one is FilePart => one.type === 'file');
  if (files.length === 0) return [];
  const types = [...new Set(files.map(({ mediaType }) => mediaType ?? 'of unknown type'))].join(', ');
  const what = files.length === 1 ? `a file (${types}), which is` : `${files.length} files (${types}), which are`;
  return [`the answer holds ${what} left out: only its text is taken`];
}

function nameOf({ response }: GenerateResult): JsonObject {
  const { id, modelId } = response ?? {};
  return {
    ...(id === undefined ? {} : { id }),
    ...(modelId === undefined ? {} : { model: modelId }),
  };
}

function messageOf(text: string, calls: readonly CallPart[], asFunction: boolean): JsonObject {
  const content = text === '' && calls.length > 0 ? null : text;
  const [first] = calls;
  if (first === undefined) return { role: 'assistant', content };
  if (asFunction) {
    const called = { name: first.toolName, arguments: first.input, ...backTo(first) };
    return { role: 'assistant', content, function_call: called };
  }
  const toolCalls = calls.map((call) => ({
    id: call.toolCallId,
    type: 'function',
    function: { name: call.toolName, arguments: call.input },
    ...backTo(call),
  }));
  return { role: 'assistant', content, tool_calls: toolCalls };
}

function reasoningOf(content: readonly Part[]): JsonObject {
  const thoughts = content
    .filter((one): one is ReasoningPart => one.type === 'reasoning')
    .map((one) => ({ text: one.text, ...backTo(one) }));
  return thoughts.length === 0 ? {} : { reasoning: thoughts };
}

function backTo({ providerMetadata }: Pick<CallPart, 'providerMetadata'>): JsonObject {
  return providerMetadata === undefined || providerMetadata === null
    ? {}
    : { provider_options: providerMetadata as JsonObject };
}

const anyValue = z.unknown().optional();
const counts = z.looseObject({
  inputTokens: z.looseObject({ total: anyValue, noCache: anyValue, cacheRead: anyValue, cacheWrite: anyValue }),
  outputTokens: z.looseObject({ total: anyValue, text: anyValue, reasoning: anyValue }),
});

function countedTokens(usage: unknown): CountedUsage {
  const read = counts.safeParse(usage);
  const { inputTokens: input, outputTokens: output } = read.data ?? {};
  const untold = { warnings: ['the service did not tell how many tokens it used: none are counted'] };
  if (input?.total === undefined || output?.total === undefined) return untold;
  // Providers add them up, so that the whole would be wrong as well.
  for (const [name, value] of [
    ['cachedTokens', input.cacheRead],
    ['cacheWriteTokens', input.cacheWrite],
    ['the tokens of the prompt that were not cached', input.noCache],
    ['reasoningTokens', output.reasoning],
    ['the tokens of the text', output.text],
  ] as const) {
    if (!isCount(value ?? 0)) return doubted(name, value);
  }
  // A prompt has tokens: packages make 0 of what was not told.
  if (input.total === 0) return untold;
  return readUsage({
    prompt_tokens: input.total,
    completion_tokens: output.total,
    prompt_tokens_details: { cached_tokens: input.cacheRead, cache_write_tokens: input.cacheWrite },
    completion_tokens_details: { reasoning_tokens: output.reasoning },
  });
}

const warning = z.looseObject({
  type: z.string(),
  feature: z.string().optional(),
  setting: z.string().optional(),
  details: z.string().optional(),
  message: z.string().optional(),
});

/** Names of the AI SDK's settings, as nodes write them. */
const writtenNames: Readonly<Record<string, string>> = {
  topP: 'top_p',
  topK: 'top_k',
  maxOutputTokens: 'max_tokens',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  stopSequences: 'stop',
  responseFormat: 'response_format',
  toolChoice: 'tool_choice',
  reasoning: 'reasoning_effort',
};

/** What a provider could not honour (`SharedV4Warning`), in a sentence. */
function warningText(given: unknown): string {
  const read = warning.safeParse(given);
  if (!read.success) return `the provider warns: ${JSON.stringify(given)}`;
  const { type, feature, setting, details, message } = read.data;
  // Ollama's package names the setting in the details, DeepSeek's says more behind the name.
  const [of, more] = feature === 'setting' ? [details, message] : [feature ?? setting, details ?? message];
  const name = of?.replace(/^\w+/, (first) => ownValue(writtenNames, first) ?? first);
  if (name === undefined) return `the provider warns: ${more ?? type}`;
  const said = `${name}${more === undefined ? '' : `: ${more}`}`;
  if (type === 'unsupported') return `the provider does not take ${said}`;
  return type === 'deprecated' ? `the provider will no longer take ${said}` : `the provider adapts ${said}`;
}

/** Vectors as the answer of an embedding call. @param texts how many were sent */
export function readVectors(vectors: readonly (readonly number[])[], tokens: unknown, texts: number): ReadAnswer {
  const { length } = vectors[0] ?? [];
  const sound = vectors.filter((one) => Array.isArray(one) && one.length === length && isDirection(one));
  if (vectors.length !== texts || sound.length !== texts) {
    const message = `the service was sent ${texts} text${texts === 1 ? '' : 's'} and answered ${vectors.length} vectors, ${sound.length} of them usable: of numbers, not all zero, as long as the first`;
    return { ok: false, problem: { ...unusable(message, ''), retryable: false } };
  }
  const counted = readUsage(tokens === undefined ? undefined : { prompt_tokens: tokens });
  const all = texts > 1 ? (vectors as JsonValue) : undefined;
  return { ok: true, reply: replyOf((vectors[0] ?? []) as JsonValue, counted.usage, counted.warnings, all) };
}
