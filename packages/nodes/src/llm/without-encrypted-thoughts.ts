import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';
import { isEncryptedThought } from '../openai/encrypted-thought.ts';

/** A message without the thoughts that the Responses API encrypted: whoever else is sent them refuses the request. */
export function withoutEncryptedThoughts(message: JsonValue): JsonValue {
  if (!isMapping(message)) return message;
  const { tool_calls: calls, function_call: called } = message;
  return {
    ...plain(message),
    ...(Array.isArray(calls) ? { tool_calls: calls.map(plain) } : {}),
    ...(isMapping(called ?? null) ? { function_call: plain(called ?? null) } : {}),
  };
}

/** What other services thought is theirs, and stays. */
function plain(message: JsonValue): JsonObject {
  const { reasoning, ...rest } = message as JsonObject;
  const own = Array.isArray(reasoning)
    ? (reasoning as readonly JsonValue[]).filter((one) => !isEncryptedThought(one))
    : [];
  return own.length === 0 ? rest : { ...rest, reasoning: own };
}
