import { Float } from './float.ts';
import type { Value, Values } from './json.ts';

export function isMapping(value: Value | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}

/** The value where it is a mapping, else an empty one. */
export function mappingOf(value: Value | undefined): Values {
  return isMapping(value) ? value : {};
}

/** The value where it is a list, else an empty one. */
export function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}

/** The value where it is a text, else an empty one. */
export function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
