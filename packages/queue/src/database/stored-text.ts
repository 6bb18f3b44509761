import type { JsonObject, JsonValue } from '@unroll/engine';

/**
 * Texts of PostgreSQL hold every character but NUL, and no half of a surrogate pair; those of a flow may. Each of them is written as
 * SUB (U+001A) and four hexadecimal digits, and so is SUB itself: what is read is what was written.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const unheld = /[\0\x1a\p{Surrogate}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const written = /\x1a([0-9a-f]{4})/g;

export function storedText(text: string): string {
  return text.replaceAll(unheld, (character) => `\x1a${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function givenText(stored: string): string {
  return stored.replaceAll(written, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** A value for a column of the type jsonb. */
export function storedJson(value: object): string {
  return JSON.stringify(withTexts(value as JsonValue, storedText));
}

/** What such a column holds. */
export function givenJson<Value>(stored: unknown): Value {
  return withTexts(stored as JsonValue, givenText) as Value;
}

function withTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as JsonObject).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [change(key), withTexts(member, change)]));
}
