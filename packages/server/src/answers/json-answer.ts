import { type JsonObject, type JsonValue, stringifyJson } from '@unroll/engine';

/** JSON that every client can read: numbers that JSON has not are null. */
export function jsonAnswer(status: number, value: JsonValue, headers: Readonly<Record<string, string>> = {}): Response {
  const text = stringifyJson(finite(value));
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** JSON as a text with all its digits, and as what JSON.parse makes of it. */
export function plainJson(value: JsonObject): { readonly text: string; readonly value: JsonObject } {
  const text = stringifyJson(finite(value));
  return { text, value: JSON.parse(text) as JsonObject };
}

/** An error of ours: `{"error": {"code", "message"}}`. */
export function errorAnswer(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonAnswer(status, { error: { code, message } }, headers);
}

function finite(value: JsonValue): JsonValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(finite);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, finite(member as JsonValue)]));
}
