import { type JsonObject, type JsonValue, type ModelRequest, stringifyJson } from '@unroll/engine';
import type { CallOptions, FunctionTool, ResponseFormat, ToolChoice } from './language-model.ts';
import { optionsOf, plain, providerPrompt } from './provider-prompt.ts';
import { settingProblems } from './unsent-settings.ts';

/** A call as the model takes it. */
export type ProviderCall =
  | { readonly ok: true; readonly options: CallOptions; readonly warnings: readonly string[] }
  /** The model cannot be asked that. */
  | { readonly ok: false; readonly message: string };

/**
 * An OpenAI-shaped chat request as the AI SDK's call options (`LanguageModelV4CallOptions`). `functions` become tools. What has no
 * place in them is a warning where the answer means the same without it, and else no call.
 *
 * @param version of the model's interface, `v3` or `v4`
 */
export function providerCall(request: ModelRequest, version: string): ProviderCall {
  const { prompt, problems } = providerPrompt((request['messages'] ?? []) as readonly JsonObject[], version);
  const { refused, warnings } = settingProblems(request, version);
  const [problem] = [...refused, ...problems];
  if (problem !== undefined) return { ok: false, message: problem };
  const tools = toolsOf(request);
  const options: CallOptions = {
    prompt,
    ...numberAt(request, 'temperature', 'temperature'),
    ...numberAt(request, 'top_p', 'topP'),
    ...numberAt(request, 'top_k', 'topK'),
    ...numberAt(request, 'max_tokens', 'maxOutputTokens'),
    ...numberAt(request, 'max_completion_tokens', 'maxOutputTokens'),
    ...numberAt(request, 'presence_penalty', 'presencePenalty'),
    ...numberAt(request, 'frequency_penalty', 'frequencyPenalty'),
    ...numberAt(request, 'seed', 'seed'),
    ...stopsOf(request['stop']),
    ...formatOf(request['response_format']),
    ...effortOf(request, version),
    ...(tools.length === 0 ? {} : { tools, toolChoice: choiceOf(request) }),
    ...optionsOf(request),
  };
  return { ok: true, options, warnings };
}

function numberAt(request: ModelRequest, from: string, to: string): Readonly<Record<string, number>> {
  const value = request[from];
  return value === undefined || value === null ? {} : { [to]: Number(value) };
}

function stopsOf(stop: JsonValue | undefined): { readonly stopSequences?: readonly string[] } {
  if (stop === undefined || stop === null || stop === '') return {};
  const stops = (Array.isArray(stop) ? stop : [stop]).map(String);
  return stops.length === 0 ? {} : { stopSequences: stops };
}

function formatOf(given: JsonValue | undefined): { readonly responseFormat?: ResponseFormat } {
  const { type, json_schema: wanted } = (given ?? {}) as JsonObject;
  if (type === 'json_object') return { responseFormat: { type: 'json' } };
  if (type !== 'json_schema') return {};
  const { schema, name, description } = (wanted ?? {}) as JsonObject;
  return {
    responseFormat: {
      type: 'json',
      ...(schema === undefined || schema === null ? {} : { schema: plain(schema) }),
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof description === 'string' ? { description } : {}),
    },
  };
}

function effortOf({ reasoning_effort: effort = null }: ModelRequest, version: string): { readonly reasoning?: string } {
  return effort === null || version === 'v3' ? {} : { reasoning: String(effort) };
}

function toolsOf(request: ModelRequest): readonly FunctionTool[] {
  const tools = ((request['tools'] ?? []) as readonly JsonObject[]).map((one) =>
    functionTool({ ...(one['function'] as JsonObject), provider_options: one['provider_options'] ?? null }),
  );
  return [...tools, ...((request['functions'] ?? []) as readonly JsonObject[]).map(functionTool)];
}

function functionTool(given: JsonObject): FunctionTool {
  const { name, description, parameters, strict } = given;
  return {
    type: 'function',
    name: String(name),
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    inputSchema: plain(parameters ?? { type: 'object', properties: {} }),
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...optionsOf(given),
  };
}

function choiceOf(request: ModelRequest): ToolChoice {
  const choice = request['tool_choice'] ?? request['function_call'] ?? 'auto';
  if (choice === 'none' || choice === 'required') return { type: choice };
  if (typeof choice !== 'object') return { type: 'auto' };
  const { name, function: inner } = choice as { readonly name?: JsonValue; readonly function?: JsonObject };
  return { type: 'tool', toolName: String(name ?? inner?.['name'] ?? stringifyJson(choice as JsonValue)) };
}
