import { hash } from 'node:crypto';
import { Image } from '../image/image.ts';
import { Float } from '../value/float.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';

/** The first 16 bytes of SHA-256 over the value's JSON, keys in their order, as 32 hexadecimal digits. */
export function valueHash(value: JsonValue): string {
  return textHash(stringifyJson(value));
}

/** The same over a text as it is. */
export function textHash(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}

/**
 * Whether a value is JSON through and through (with Python's numbers), so that its digest tells all of it. A picture is:
 * its JSON holds its bytes, or its address.
 */
export function isJson(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof Float || value instanceof Image) return true;
  if (Array.isArray(value)) return value.every(isJson);
  return isPlainObject(value) && Object.values(value as JsonObject).every(isJson);
}
