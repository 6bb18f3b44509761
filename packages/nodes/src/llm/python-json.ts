import { Float, printJson, type Value } from '@unroll/engine';

/** JSON as Python's `json.dumps` prints it: a blank after each colon and comma, other letters than ASCII escaped. */
export function printPythonJson(value: Value): string {
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(printPythonJson).join(', ')}]`;
  if (isPlainMapping(value)) {
    const members = Object.entries(value).map(([key, member]) => `${ascii(key)}: ${printPythonJson(member)}`);
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'string' ? ascii(value) : printJson(value);
}

function isPlainMapping(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !(value instanceof Float);
}

function ascii(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
