import type { JsonObject, JsonValue } from '../value/json.ts';
import { isPlainObject } from '../value/plain-object.ts';
import { type CopiedFrom, copiedFrom } from '../value/remote-value.ts';

/** With who knows what they are copies of. */
export function copiesIn(value: unknown, found = new Map<JsonValue, CopiedFrom>()): ReadonlyMap<JsonValue, CopiedFrom> {
  const original = copiedFrom(value);
  if (original !== undefined) found.set(value as JsonValue, original);
  else if (isPlain(value)) for (const member of Object.values(value)) copiesIn(member, found);
  return found;
}

/**
 * The same value where nothing in it is replaced.
 *
 * @param now learns what is made of lists and mappings that hold what is replaced: one that stands in several values stays one
 */
export function replaced(value: JsonValue, now: Map<unknown, JsonValue>): JsonValue {
  const found = now.get(value);
  if (found !== undefined) return found;
  // Its owner tells of all that is in it.
  if (copiedFrom(value) !== undefined) return value;
  if (!isPlain(value)) return value;
  const entries = Object.entries(value as JsonObject).map(([key, member]) => [key, replaced(member, now)] as const);
  if (entries.every(([key, member]) => member === (value as JsonObject)[key])) return value;
  const made = Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
  now.set(value, made);
  return made;
}

function isPlain(value: unknown): value is object {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && isPlainObject(value));
}
