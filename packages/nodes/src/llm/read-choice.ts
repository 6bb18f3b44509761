import type { JsonObject, JsonValue, ModelReply, NodeDefinition } from '@unroll/engine';
import { firstChoice } from '../openai/read-answer.ts';

/** `returns: choice`: the text with how it ended, and how likely its tokens were where the node asks for that; where `returns` is not there the text or the message alone. */
export function choiceOf({ settings }: NodeDefinition): { readonly read?: (reply: ModelReply) => JsonValue } {
  return settings['returns'] === 'choice' ? { read: readChoice } : {};
}

/** `stop_reason` is how vLLM, and the Converse API as we call it, tell which stop sequence ended the text. */
function readChoice({ body, whole, logprobs }: ModelReply): JsonValue {
  const message = (typeof body === 'string' ? { content: body } : body) as JsonObject;
  const first = firstChoice(whole) as JsonObject | undefined;
  const { finish_reason: reason = null, stop_reason: stop = null } = first ?? {};
  const likelihoods = logprobs === undefined ? {} : { logprobs };
  return { content: message['content'] ?? null, finish_reason: reason, stop, ...likelihoods };
}
