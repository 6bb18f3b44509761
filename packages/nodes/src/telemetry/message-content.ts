import { isMapping, type JsonObject, type JsonValue, listOf, type ModelReply, type ModelRequest } from '@unroll/engine';

/** Messages of a request in the form of `gen_ai.input.messages`. */
export function inputMessages({ messages, prompt, input }: ModelRequest): JsonValue {
  const asked = prompt ?? input;
  if (asked !== undefined) return listOrOne(asked).map((text) => ({ role: 'user', parts: partsOf(text) }));
  return listOf(messages ?? null)
    .filter(isMapping)
    .map(messageOf);
}

/** Answers of a model in the form of `gen_ai.output.messages`. */
export function outputMessages({ body }: ModelReply, finishReasons: readonly string[]): JsonValue {
  const message = isMapping(body) ? messageOf(body) : { role: 'assistant', parts: partsOf(body) };
  return [{ ...message, finish_reason: finishReasons[0] ?? '' }];
}

function messageOf(message: JsonObject): JsonObject {
  const { role = 'assistant', content = null, tool_calls: calls = null, function_call: call = null } = message;
  const { tool_call_id: answered = null } = message;
  if (role === 'tool' || role === 'function')
    return { role: 'tool', parts: [{ type: 'tool_call_response', id: answered, response: content }] };
  const asked = listOf(calls).filter(isMapping);
  const callParts = asked.map(({ id = null, function: called = null }) => callPart(id, called));
  const single = isMapping(call) ? [callPart(null, call)] : [];
  return { role, parts: [...partsOf(content), ...callParts, ...single] };
}

function callPart(id: JsonValue, called: JsonValue): JsonObject {
  const { name = '', arguments: given = null } = isMapping(called) ? called : {};
  return { type: 'tool_call', id, name, arguments: given };
}

/** A text, or a list of parts as OpenAI writes them. Of pictures only that there was one: their bytes are left out. */
function partsOf(content: JsonValue): readonly JsonObject[] {
  if (content === null) return [];
  if (!Array.isArray(content)) return [textPart(content)];
  return (content as readonly JsonValue[]).map((part) => {
    if (!isMapping(part)) return textPart(part);
    return part['type'] === 'text' ? textPart(part['text'] ?? '') : { type: String(part['type']) };
  });
}

function textPart(text: JsonValue): JsonObject {
  return { type: 'text', content: typeof text === 'string' ? text : JSON.stringify(text) };
}

function listOrOne(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [value];
}
