import { type JsonValue, stringifyJson } from '@unroll/engine';

/** A value as a text is compared: nothing is the empty text, what is no text is its JSON. */
export function comparableText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : stringifyJson(value);
}

/** Without what makes no difference to a reader: forms of letters (NFKC), runs and ends of white space. */
export function plainText(text: string): string {
  const formed = text.normalize('NFKC');
  return /\s/.test(formed) ? formed.replaceAll(/\s+/g, ' ').trim() : formed;
}

/** Of what is expected few texts are often the same in many rows: what was worked out of the last ones is kept. */
export function remembered(work: (wanted: JsonValue) => string): (wanted: JsonValue) => string {
  const known = new Map<JsonValue, string>();
  return (wanted) => {
    const before = known.get(wanted);
    if (before !== undefined) return before;
    const worked = work(wanted);
    if (known.size >= maxRemembered) known.clear();
    if (typeof wanted === 'string') known.set(wanted, worked);
    return worked;
  };
}

const maxRemembered = 64;

/** Of one or several expected texts those that say something. */
export function expectedTexts(expected: JsonValue): readonly string[] {
  const given = Array.isArray(expected) ? (expected as readonly JsonValue[]) : [expected];
  return given.map(comparableText).filter((text) => text.trim() !== '');
}
