import { Float, type JsonValue, pythonJson } from '@unroll/engine';

/** What Prompt flow's server prints: keys in order, no blanks, characters beyond ASCII escaped, a line break at the end. */
export function flaskJson(value: JsonValue): string {
  return `${compact(value)}\n`;
}

function compact(value: JsonValue): string {
  if (typeof value !== 'object' || value === null || value instanceof Float) return pythonJson(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(compact).join(',')}]`;
  const plain: unknown = value;
  // What tells its own JSON: a date, an object that lives elsewhere.
  if (typeof (plain as { toJSON?: unknown }).toJSON === 'function')
    return compact((plain as { toJSON(): JsonValue }).toJSON());
  const entries = Object.entries(value as { readonly [key: string]: JsonValue });
  const sorted = entries.toSorted(([one], [other]) => compareCodePoints(one, other));
  return `{${sorted.map(([key, member]) => `${pythonJson(key)}:${compact(member)}`).join(',')}}`;
}

function compareCodePoints(one: string, other: string): number {
  const [left, right] = [[...one], [...other]];
  for (const [at, character] of left.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
