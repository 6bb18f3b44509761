import { type JsonValue, stringifyJson, withImageNames } from '@unroll/engine';

/** A value over as many lines as it takes, for people: a text as it is, all else as indented JSON, pictures by their names. */
export function readableValue(value: JsonValue): string {
  const told = withImageNames(value);
  return typeof told === 'string' ? told : stringifyJson(told, 2);
}
