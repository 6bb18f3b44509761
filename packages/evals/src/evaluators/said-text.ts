import { printJson, type Value } from '@unroll/engine';

const longest = 80;

/** A value as JSON, cut where it is long: what was given in the place of a score. */
export function saidText(value: Value): string {
  const text = printJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
