import { type JsonValue, stringifyJson, withImageNames } from '@unroll/engine';

/** A text as XML or HTML shows it, in elements and in double quotes; characters that XML 1.0 does not allow are replaced. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(notAllowed, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
const notAllowed = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const maxCharacters = 2000;

/** A line break in a string of JSON, to be shown as one. */
const writtenBreak = /(?<!\\)((?:\\\\)*)\\n/g;

/** A value for people, a text as it is; undefined where there is none. Cut off where it is very long. */
export function valueText(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const told = withImageNames(value);
  const text = typeof told === 'string' ? told : stringifyJson(told, 2).replaceAll(writtenBreak, '$1\n');
  const rest = text.length - maxCharacters;
  return rest > 0 ? `${text.slice(0, maxCharacters)}… ${rest} more characters` : text;
}

/** `1 row`, `12 rows`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
