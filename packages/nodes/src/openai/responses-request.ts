import { isMapping, type JsonObject, type JsonValue, type ModelRequest } from '@unroll/engine';
import { responseItems } from './responses-items.ts';
import { isThinkingModel } from './thinking-models.ts';

/**
 * A chat-shaped request as OpenAI's Responses API takes it (API reference, `POST /responses`): messages become items, `functions`
 * and `tools` its flat tools, `response_format` and `verbosity` its `text`, `reasoning_effort` its `reasoning`. Whatever is not
 * of chat goes as it is.
 *
 * Nothing is kept at the service (`store: false`) unless the request says so: the record holds the conversation. Models that
 * think are then asked for their thoughts, encrypted, since they go on thinking where these are sent back.
 */
export function responsesRequest(request: ModelRequest): JsonObject {
  const {
    messages,
    functions,
    function_call: _call,
    tools,
    tool_choice: _choice,
    response_format: format,
    verbosity,
    text,
    reasoning_effort: effort,
    reasoning,
    max_tokens: max,
    max_completion_tokens: maxCompletion = max,
    max_output_tokens: maxOutput = maxCompletion,
    logprobs: _logprobs,
    include: _include,
    store = false,
    stream,
    stream_options: _usageIsToldAnyway,
    ...rest
  } = request;
  const offered = offeredTools(tools ?? functions ?? null);
  const texts = { ...mapping(text), ...given('format', textFormat(format)), ...given('verbosity', verbosity) };
  const thinking = { ...mapping(reasoning), ...given('effort', effort) };
  return {
    ...rest,
    input: responseItems((messages ?? []) as readonly JsonObject[]),
    ...given('max_output_tokens', maxOutput),
    ...filled('text', texts),
    ...filled('reasoning', thinking),
    ...(offered.length === 0 ? {} : { tools: offered, ...given('tool_choice', toolChoice(request)) }),
    ...includedParts(request, Object.keys(thinking).length > 0),
    store,
    ...(stream === true ? { stream } : {}),
  };
}

/** The author's own `include` stands, be it an empty list: models that do not think refuse to be asked for thoughts. */
function includedParts(
  { include, model, logprobs, store }: ModelRequest,
  asksToThink: boolean,
): { readonly include?: JsonValue } {
  const thinks = store !== true && (asksToThink || isThinkingModel(String(model)));
  const own = Array.isArray(include)
    ? (include as readonly JsonValue[])
    : thinks
      ? ['reasoning.encrypted_content']
      : [];
  const all = logprobs === true ? [...own, 'message.output_text.logprobs'] : own;
  return all.length === 0 ? {} : { include: all };
}

/** Functions of chat stand one level deeper, and are not strict where they do not say so; other tools are the service's own. */
function offeredTools(offered: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(offered)) return [];
  return (offered as readonly JsonValue[]).map((one) => {
    if (!isMapping(one) || (one['type'] !== undefined && !isMapping(one['function']))) return one;
    const called = isMapping(one['function']) ? one['function'] : one;
    const { name = '', description, parameters = null, strict = false } = called;
    return { type: 'function', name, ...given('description', description), parameters, strict };
  });
}

function toolChoice({ tool_choice: choice, function_call: call }: ModelRequest): JsonValue | undefined {
  const chosen = choice ?? call ?? undefined;
  if (!isMapping(chosen ?? null)) return chosen;
  const { type = 'function', function: inner, name = null } = chosen as JsonObject;
  if (isMapping(inner ?? null)) return { type: 'function', name: (inner as JsonObject)['name'] ?? null };
  return type === 'function' ? { type, name } : chosen;
}

function textFormat(format: JsonValue | undefined): JsonValue | undefined {
  if (!isMapping(format ?? null)) return format;
  const { type = null, json_schema: schema } = format as JsonObject;
  return isMapping(schema ?? null) ? { type, ...(schema as JsonObject) } : format;
}

function mapping(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isMapping(value) ? value : {};
}

function given(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined || value === null ? {} : { [name]: value };
}

function filled(name: string, value: JsonObject): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [name]: value };
}
