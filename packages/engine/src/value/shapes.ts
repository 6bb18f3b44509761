import { Float } from './float.ts';
import type { JsonObject, JsonValue } from './json.ts';

export function isMapping(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}

/** The value where it is a mapping, else an empty one. */
export function mappingOf(value: JsonValue | undefined): JsonObject {
  return isMapping(value) ? value : {};
}

/** The value where it is a list, else an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** The value where it is a text, else an empty one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
