import {
  convertValue,
  Float,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type NodeError,
  pythonStr,
} from '@unroll/engine';
import { llmError } from '../errors/tool-error.ts';
import { laterParameters, responsesParameters } from './api-parameters.ts';
import type { ChatMessage } from './parse-chat.ts';
import type { RequestForm } from './request-form.ts';
import { readFunctionCall, readToolChoice, validateFunctions, validateTools } from './validate-functions.ts';
import { withoutProviderParts } from './without-provider-parts.ts';

export type BuiltRequest =
  | { readonly ok: true; readonly request: ModelRequest }
  | { readonly ok: false; readonly error: NodeError };

/** Sent only when they hold something, as Prompt flow's chat tools send them. */
const sentWhenTrue = ['stop', 'logit_bias', 'response_format', 'user'];
const notSentLater = ['deployment_name', 'model', 'stream_options'];
/** Of either API: nothing is given that a node's API does not have. */
const sentWhenGiven = [
  'seed',
  'presence_penalty',
  'frequency_penalty',
  ...Object.keys(laterParameters).filter((name) => !notSentLater.includes(name)),
  ...Object.keys(responsesParameters),
];

/** A chat request as Prompt flow's tool of that form builds it (`aoai.py`, `openai.py`). */
export function buildChatRequest(form: RequestForm, messages: readonly ChatMessage[], given: JsonObject): BuiltRequest {
  const convert = new Conversions();
  const model = modelOf(form, given, 'chat');
  if (model === undefined) return refuseWithoutModel('chat');
  const offered = offeredFunctions(form === 'azure', given);
  if ('error' in offered) return { ok: false, error: offered.error };
  const request: Record<string, JsonValue> = {
    model,
    messages: form === 'plain' ? messages : withoutProviderParts(messages),
    ...samplingOf(form, given),
    stream: isSwitchedOn(given['stream']),
    ...offered.parameters,
  };
  addOptional(request, given, convert);
  return convert.built(request);
}

/** Of Prompt flow's tools 1 is the default; other models have defaults of their own. */
function samplingOf(form: RequestForm, given: JsonObject): JsonObject {
  if (form === 'plain') return withoutNothing(given, ['temperature', 'top_p', 'top_k', 'n', 'provider_options']);
  const sampling = { temperature: given['temperature'] ?? defaultOne, top_p: given['top_p'] ?? defaultOne };
  return form === 'azure' ? { ...sampling, n: given['n'] ?? 1 } : sampling;
}

function withoutNothing(given: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => (given[name] ?? null) !== null).map((name) => [name, given[name] as JsonValue]),
  );
}

/**
 * A request of the Responses API, in the form of chat: without the values that Prompt flow's tools always send, which models
 * that think refuse.
 */
export function buildResponsesRequest(
  form: RequestForm,
  messages: readonly ChatMessage[],
  given: JsonObject,
): BuiltRequest {
  const convert = new Conversions();
  const model = modelOf(form, given, 'chat');
  if (model === undefined) return refuseWithoutModel('responses');
  const offered = offeredFunctions(false, given);
  if ('error' in offered) return { ok: false, error: offered.error };
  const request: Record<string, JsonValue> = {
    model,
    messages,
    ...withoutNothing(given, ['temperature', 'top_p', 'top_k', 'provider_options']),
    ...offered.parameters,
  };
  if (isSwitchedOn(given['stream'])) request['stream'] = true;
  addOptional(request, given, convert);
  return convert.built(request);
}

const optional: ReadonlySet<string> = new Set([...sentWhenTrue, ...sentWhenGiven, 'max_tokens', 'stream_options']);

function addOptional(request: Record<string, JsonValue>, given: JsonObject, convert: Conversions): void {
  if (!Object.keys(given).some((name) => optional.has(name))) return;
  for (const name of sentWhenTrue) if (isTrue(given[name])) request[name] = given[name] as JsonValue;
  for (const name of sentWhenGiven) if ((given[name] ?? null) !== null) request[name] = given[name] as JsonValue;
  const { max_tokens: max = null, stream_options: options = null } = given;
  if (max !== null && pythonStr(max).toLowerCase() !== 'inf') request['max_tokens'] = convert.int(max);
  if (options !== null && request['stream'] === true) request['stream_options'] = options;
}

const defaultOne = new Float(1);

type Offered = { readonly parameters: JsonObject } | { readonly error: NodeError };

/**
 * Functions are left out where there are tools.
 *
 * @param checksTools whether tools are checked, as for Azure's chat; else they are sent as they are
 */
export function offeredFunctions(checksTools: boolean, given: JsonObject): Offered {
  const { tools = null, functions = null, tool_choice: choice = null, function_call: call = null } = given;
  if (isTrue(tools)) {
    if (!checksTools) return { parameters: { tools, tool_choice: choice } };
    const error = validateTools(tools);
    if (error !== undefined) return { error };
    const read = readToolChoice(choice);
    return 'error' in read ? read : { parameters: { tools, tool_choice: read.value } };
  }
  if (!isTrue(functions)) return { parameters: {} };
  const error = validateFunctions(functions);
  if (error !== undefined) return { error };
  const read = readFunctionCall(call);
  return 'error' in read ? read : { parameters: { functions, function_call: read.value } };
}

/** A completion request: everything is sent, as Prompt flow does. */
export function buildCompletionRequest(form: RequestForm, prompt: string, given: JsonObject): BuiltRequest {
  const convert = new Conversions();
  const model = modelOf(form, given, 'completion');
  if (model === undefined) return refuseWithoutModel('completion');
  const penalties = ['presence_penalty', 'frequency_penalty'].flatMap((name) => {
    const value = given[name] ?? null;
    if (value === null) return form === 'openai' ? [[name, null] as const] : [];
    return [[name, form === 'openai' ? convert.float(value) : value] as const];
  });
  const orNull = (name: string): JsonValue => (isTrue(given[name]) ? (given[name] as JsonValue) : null);
  const { max_tokens: max, logprobs } = given;
  return convert.built({
    prompt,
    model,
    suffix: orNull('suffix'),
    max_tokens: max === null ? null : convert.int(max ?? 16),
    temperature: convert.float(given['temperature'] ?? 1),
    top_p: convert.float(given['top_p'] ?? 1),
    n: convert.int(given['n'] ?? 1),
    stream: isSwitchedOn(given['stream']),
    logprobs: isTrue(logprobs) ? convert.int(logprobs as JsonValue) : null,
    echo: isSwitchedOn(given['echo']),
    stop: orNull('stop'),
    best_of: convert.int(given['best_of'] ?? 1),
    logit_bias: orNull('logit_bias') ?? {},
    user: given['user'] ?? '',
    ...Object.fromEntries(penalties),
  });
}

/** An embedding request; `serverless` endpoints take a list, and answer with plain numbers only when asked to. */
export function buildEmbeddingRequest(
  service: RequestForm | 'serverless',
  given: JsonObject,
): Extract<BuiltRequest, { ok: true }> {
  const { input = '', model = null, deployment_name: deployment = null, ...others } = given;
  const request = {
    input: service === 'serverless' ? [input] : input,
    model: (service === 'azure' ? (deployment ?? model) : (model ?? deployment)) ?? 'text-embedding-ada-002',
    ...(service === 'serverless' ? { encoding_format: 'float' } : {}),
  };
  const known = ['dimensions', 'encoding_format', 'user', ...(service === 'plain' ? ['provider_options'] : [])];
  const more = known.filter((name) => (others[name] ?? null) !== null);
  return { ok: true, request: { ...request, ...Object.fromEntries(more.map((name) => [name, others[name] ?? null])) } };
}

/**
 * Azure: the deployment; `model` where there is none, so that a node can change its connection. OpenAI: `model` alone, as
 * in Prompt flow, where a node without one asks for none.
 */
export function modelOf(form: RequestForm, given: JsonObject, api: 'chat' | 'completion'): JsonValue | undefined {
  const { deployment_name: deployment = null, model = null } = given;
  if (form === 'azure') return deployment ?? model ?? undefined;
  return model ?? (api === 'chat' ? '' : 'text-davinci-003');
}

function refuseWithoutModel(api: string): BuiltRequest {
  const text = `AzureOpenAI.${api}() missing 1 required positional argument: 'deployment_name'`;
  return { ok: false, error: llmError('TypeError', text) };
}

/** Values turned into numbers as Python's `int` and `float` do; the first that cannot be is the error of the request. */
class Conversions {
  private error: NodeError | undefined;

  int(value: JsonValue): JsonValue {
    return this.convert(value, 'int', `invalid literal for int() with base 10: `);
  }

  float(value: JsonValue): JsonValue {
    return this.convert(value, 'double', `could not convert string to float: `);
  }

  built(request: ModelRequest): BuiltRequest {
    return this.error === undefined ? { ok: true, request } : { ok: false, error: this.error };
  }

  private convert(value: JsonValue, type: string, problem: string): JsonValue {
    const converted = convertValue(value, type);
    if (converted.ok) return converted.value;
    this.error ??= llmError('ValueError', `${problem}'${pythonStr(value)}'`);
    return null;
  }
}

/** Python's `str(value).lower() == 'true'`. */
function isSwitchedOn(value: JsonValue | undefined): boolean {
  return String(value).toLowerCase() === 'true';
}

/** Python's truth of a value. */
export function isTrue(value: JsonValue | undefined): boolean {
  if (value instanceof Float) return value.valueOf() !== 0;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}
