import { type JsonValue, stringifyJson, withImageNames } from '@unroll/engine';

/** A value over as many lines as it takes, for people: a text as it is, all else as indented JSON, pictures by their names. */
export function readableValue(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(withImageNames(value), 2);
}
