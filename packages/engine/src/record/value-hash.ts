import { hash } from 'node:crypto';
import { Image } from '../image/image.ts';
import { Float } from '../value/float.ts';
import { type JsonValue, stringifyJson } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';

/** Digests of large lists and mappings already worked out. Values that travel between nodes are never changed. */
const known = new WeakMap<object, string>();
/** Whether a large list or mapping was found to be JSON. */
const checked = new WeakMap<object, boolean>();
/** Smaller ones are looked at again, which costs less than to remember them. */
const largeCharacters = 2000;
const largeParts = 50;

/** The first 16 bytes of SHA-256 over the value's JSON, keys in their order, as 32 hexadecimal digits. */
export function valueHash(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return textHash(stringifyJson(value));
  const before = known.get(value);
  if (before !== undefined) return before;
  const text = stringifyJson(value);
  const digest = textHash(text);
  if (text.length >= largeCharacters) known.set(value, digest);
  return digest;
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
  const before = checked.get(value);
  if (before !== undefined) return before;
  const look = new JsonLook();
  const isWhole = look.isWhole(value);
  if (look.parts >= largeParts) checked.set(value, isWhole);
  return isWhole;
}

class JsonLook {
  /** Looked at so far. */
  parts = 0;

  isWhole(value: JsonValue): boolean {
    if (typeof value !== 'object' || value === null || value instanceof Float) return true;
    this.parts += 1;
    if (Array.isArray(value)) return value.every((part) => this.isWhole(part));
    if (value instanceof Image) return true;
    if (!isPlainObject(value)) return false;
    for (const key in value) if (!this.isWhole((value as Record<string, JsonValue>)[key] as JsonValue)) return false;
    return true;
  }
}
