import { Float, stringifyFloat } from './float.ts';
import type { JsonValue } from './json.ts';

/** What Python's `json.dumps` prints: `{"k": [1, true, null]}`, characters beyond ASCII escaped. */
export function pythonJson(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(BigInt(value)) : number(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Float) return number(value.valueOf());
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(pythonJson).join(', ')}]`;
  const entries = Object.entries(value as { readonly [key: string]: JsonValue });
  return `{${entries.map(([key, member]) => `${quoted(key)}: ${pythonJson(member)}`).join(', ')}}`;
}

function number(value: number): string {
  return Number.isFinite(value) ? stringifyFloat(value) : String(value);
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
