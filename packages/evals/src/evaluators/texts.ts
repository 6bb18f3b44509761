import { printJson, type Value } from '@unroll/engine';

/** A value as a text is compared: nothing is the empty text, what is no text is its JSON. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : printJson(value);
}

/** Without what makes no difference to a reader: forms of letters (NFKC), runs and ends of white space. */
export function plainText(text: string): string {
  const formed = text.normalize('NFKC');
  return /\s/.test(formed) ? formed.replaceAll(/\s+/g, ' ').trim() : formed;
}
