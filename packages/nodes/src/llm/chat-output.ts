import { isMapping, type JsonValue } from '@unroll/engine';

/** Every field of a message of the client library that Prompt flow uses, null where the service sent none. */
const noFields = {
  content: null,
  refusal: null,
  role: null,
  annotations: null,
  audio: null,
  function_call: null,
  tool_calls: null,
};

/** The text of a message, or the message with every field, in the order of that library: a template prints it so. */
export function chatOutput(body: JsonValue, wantsMessage: boolean): JsonValue {
  const message = body as Record<string, JsonValue>;
  if (!wantsMessage) return message['content'] ?? null;
  const { function_call: called = null, tool_calls: calls = null } = message;
  return { ...noFields, ...message, function_call: inOrder(called), tool_calls: inOrder(calls) };
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(inOrder);
  if (!isMapping(value)) return value;
  const { id, function: called, custom, type, arguments: given, input, name, ...rest } = value;
  const fields = { id, function: ordered(called), custom: ordered(custom), type, arguments: given, input, name };
  return { ...withoutUndefined(fields), ...rest };
}

function ordered(called: JsonValue | undefined): JsonValue | undefined {
  return called === undefined ? undefined : inOrder(called);
}

function withoutUndefined(fields: Readonly<Record<string, JsonValue | undefined>>): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
