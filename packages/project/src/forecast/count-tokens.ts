import { type JsonObject, type JsonValue, stringifyJson } from '@unroll/engine';

/** Tokens of a text. */
export type TokenCounter = (text: string) => number;

/** Models of the older of OpenAI's two vocabularies; all others are counted by the newer one, those of other makers roughly. */
const olderModels = /^(gpt-4(?!o|\.|-o)|gpt-3\.?5|gpt-35|text-embedding)/;

/** The vocabularies are large: they are loaded when something is counted. */
export async function tokenCounter(model: string | undefined): Promise<TokenCounter> {
  const isOlder = olderModels.test(model?.toLowerCase() ?? '');
  const { countTokens } = isOlder
    ? await import('gpt-tokenizer/encoding/cl100k_base')
    : await import('gpt-tokenizer/encoding/o200k_base');
  return (text) => countTokens(text);
}

/** Tokens that frame a message, and those that open the answer. */
const perMessage = 3;
const perName = 1;
const opening = 3;

/**
 * Tokens of a request to a chat or completion model, by OpenAI's published way of counting messages. Functions count with
 * their JSON, which is about what they take; pictures are not counted.
 */
export function requestTokens(request: JsonObject, count: TokenCounter): number {
  const { messages, prompt, input } = request;
  if (!Array.isArray(messages)) return count(messageText(prompt ?? input ?? ''));
  const sent = (messages as readonly JsonObject[]).reduce(
    (sum, message) => sum + messageTokens(message, count),
    opening,
  );
  const offered = [request['functions'], request['tools']].filter((one) => Array.isArray(one) && one.length > 0);
  return sent + offered.reduce<number>((sum, one) => sum + count(stringifyJson(one as JsonValue)), 0);
}

function messageTokens(message: JsonObject, count: TokenCounter): number {
  const parts = Object.values(message).map((part) => (part === null ? 0 : count(messageText(part))));
  return perMessage + (message['name'] === undefined ? 0 : perName) + parts.reduce((sum, tokens) => sum + tokens, 0);
}

function messageText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return stringifyJson(value);
  const parts = value as readonly JsonValue[];
  return parts.map((part) => (isTextPart(part) ? String(part['text']) : '')).join('');
}

function isTextPart(part: JsonValue): part is JsonObject {
  return typeof part === 'object' && part !== null && 'text' in part;
}
