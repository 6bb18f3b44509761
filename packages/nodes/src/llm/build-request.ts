import { Float, type ModelRequest, type Value, type Values } from '@unroll/engine';
import type { ChatMessage } from './parse-chat.ts';

/** Parameters that are sent only when they hold something, as Prompt flow's chat tools send them. */
const sentWhenTrue = ['stop', 'logit_bias', 'response_format', 'user'];
const sentWhenGiven = [
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'max_completion_tokens',
  'reasoning_effort',
  'logprobs',
  'top_logprobs',
  'parallel_tool_calls',
  'service_tier',
  'metadata',
  'store',
  'prediction',
  'modalities',
  'audio',
  'verbosity',
  'web_search_options',
  'stream_options',
  'safety_identifier',
  'prompt_cache_key',
];

/** A chat request as Prompt flow's tool of the provider builds it (`aoai.py`, `openai.py`). */
export function buildChatRequest(
  provider: 'azure' | 'openai',
  messages: readonly ChatMessage[],
  given: Values,
): ModelRequest {
  const request: Record<string, Value> = {
    model: modelOf(provider, given),
    messages,
    temperature: given['temperature'] ?? 1,
    top_p: given['top_p'] ?? 1,
    ...(provider === 'azure' ? { n: given['n'] ?? 1 } : {}),
    stream: given['stream'] === true,
  };
  for (const name of sentWhenTrue) if (isTrue(given[name])) request[name] = given[name] as Value;
  for (const name of sentWhenGiven) if ((given[name] ?? null) !== null) request[name] = given[name] as Value;
  return { ...request, ...tokenLimit(given), ...functionParameters(provider, given) };
}

function tokenLimit({ max_tokens: most = null }: Values & { readonly max_tokens?: Value }): Values {
  return most === null || /^inf/i.test(String(most)) ? {} : { max_tokens: Number(most) };
}

function functionParameters(provider: 'azure' | 'openai', given: Values): Values {
  const {
    tools,
    tool_choice: toolChoice = null,
    functions,
    function_call: functionCall = null,
  } = given as Record<string, Value | undefined>;
  if (isTrue(tools))
    return { tools: tools as Value, tool_choice: provider === 'azure' ? (toolChoice ?? 'auto') : toolChoice };
  if (isTrue(functions)) return { functions: functions as Value, function_call: functionCall ?? 'auto' };
  return {};
}

/** A completion request: everything is sent, as Prompt flow does. */
export function buildCompletionRequest(provider: 'azure' | 'openai', prompt: string, given: Values): ModelRequest {
  const orNull = (name: string): Value => (isTrue(given[name]) ? (given[name] as Value) : null);
  const penalties = ['presence_penalty', 'frequency_penalty'].filter(
    (name) => provider === 'openai' || (given[name] ?? null) !== null,
  );
  return {
    prompt,
    model: modelOf(provider, given),
    suffix: orNull('suffix'),
    max_tokens: given['max_tokens'] ?? 16,
    temperature: given['temperature'] ?? 1,
    top_p: given['top_p'] ?? 1,
    n: given['n'] ?? 1,
    stream: given['stream'] === true,
    logprobs: orNull('logprobs'),
    echo: given['echo'] === true,
    stop: orNull('stop'),
    best_of: given['best_of'] ?? 1,
    logit_bias: given['logit_bias'] ?? {},
    user: given['user'] ?? '',
    ...Object.fromEntries(penalties.map((name) => [name, given[name] ?? null])),
  };
}

export function buildEmbeddingRequest(provider: 'azure' | 'openai', input: Value, given: Values): ModelRequest {
  const { dimensions = null } = given as Record<string, Value | undefined>;
  return {
    input,
    model: given['model'] ?? modelOf(provider, given) ?? 'text-embedding-ada-002',
    ...(dimensions === null ? {} : { dimensions }),
  };
}

function modelOf(provider: 'azure' | 'openai', given: Values): Value {
  const { deployment_name: deployment = null, model = null } = given as Record<string, Value | undefined>;
  return provider === 'azure' ? (deployment ?? model) : (model ?? deployment);
}

export function isTrue(value: Value | undefined): boolean {
  if (value instanceof Float) return value.valueOf() !== 0;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
