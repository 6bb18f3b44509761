import { type JsonValue, stringifyJson } from '@unroll/engine';

const longest = 80;

/** A value as JSON, cut where it is long: what was given in the place of a score. */
export function saidText(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
