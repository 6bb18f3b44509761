import { type JsonValue, stringifyJson } from '@unroll/engine';

/** A value over as many lines as it takes, for people: a text as it is, all else as indented JSON. */
export function readableValue(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value, 2);
}
