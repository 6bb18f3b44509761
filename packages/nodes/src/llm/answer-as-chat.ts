import {
  type ChatModelService,
  isMapping,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type ModelService,
} from '@unroll/engine';
import { isEncryptedThought } from '../openai/encrypted-thought.ts';
import { responsesParameters } from './api-parameters.ts';

/** A service without a Responses API, asked through its chat where a node wants that one. */
export function answeringAsChat(service: ChatModelService): ModelService {
  return {
    call: (api, request, call) =>
      api === 'responses' ? service.call('chat', chatRequest(request), call) : service.call(api, request, call),
  };
}

/** What only the Responses API knows is left out, or called as chat calls it. */
function chatRequest(request: ModelRequest): ModelRequest {
  const { messages, max_output_tokens: max, reasoning } = request;
  const kept = Object.entries(request).filter(([name]) => !(name in responsesParameters));
  const effort = isMapping(reasoning) ? reasoning['effort'] : undefined;
  return {
    ...Object.fromEntries(kept),
    ...(Array.isArray(messages) ? { messages: messages.map(withoutReasoning) } : {}),
    ...(max === undefined ? {} : { max_tokens: max }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

function withoutReasoning(message: JsonValue): JsonValue {
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
