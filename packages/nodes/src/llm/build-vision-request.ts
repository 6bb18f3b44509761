import { Float, type JsonObject, type JsonValue, type ModelRequest } from '@unroll/engine';
import { isTrue } from './build-request.ts';
import type { ChatMessage } from './parse-chat.ts';

/** A chat request as Prompt flow's vision tools build it, for both providers (`aoai_gpt4v.py`, `openai_gpt4v.py`). */
export function buildVisionRequest(
  model: JsonValue,
  messages: readonly ChatMessage[],
  given: JsonObject,
): ModelRequest {
  const { stop = null, max_tokens: max = null, seed = null } = given;
  return {
    model,
    messages,
    temperature: given['temperature'] ?? new Float(1),
    top_p: given['top_p'] ?? new Float(1),
    n: 1,
    stream: given['stream'] ?? false,
    presence_penalty: given['presence_penalty'] ?? 0,
    frequency_penalty: given['frequency_penalty'] ?? 0,
    ...(isTrue(stop) ? { stop } : {}),
    ...(max === null ? {} : { max_tokens: max }),
    ...(seed === null ? {} : { seed }),
  };
}
