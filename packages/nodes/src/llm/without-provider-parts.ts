import { isMapping, type JsonValue } from '@unroll/engine';
import type { ChatMessage } from './parse-chat.ts';

/**
 * Messages without what a provider of the AI SDK wants back (`reasoning`, `provider_options`), which other services refuse: an
 * agent may go on at another connection. The same messages where they hold nothing of it.
 */
export function withoutProviderParts(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.some(holdsParts) ? messages.map((message) => plain(message) as ChatMessage) : messages;
}

const places = ['reasoning', 'tool_calls', 'function_call', 'content'];

function holdsParts(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some(holdsParts);
  if (value === undefined || !isMapping(value)) return false;
  if ('provider_options' in value || isThoughts(value['reasoning'])) return true;
  return places.some((name) => typeof value[name] === 'object' && holdsParts(value[name]));
}

/** Thoughts of the Responses API have a type. */
function isThoughts(value: JsonValue | undefined): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return (value as readonly JsonValue[]).every((one) => isMapping(one) && 'text' in one && !('type' in one));
}

function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plain);
  if (!isMapping(value)) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) => name !== 'provider_options' && !(name === 'reasoning' && isThoughts(member)),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, plain(member)]));
}
