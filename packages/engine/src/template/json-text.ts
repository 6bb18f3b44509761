import { DescribedScalar } from './described.ts';
import { compareOrder } from './python-comparison.ts';
import { pythonRepr } from './python-text.ts';
import { dictPairs, isDict, Markup } from './python-types.ts';
import { isNumber } from './python-values.ts';
import { spend, spendOn } from './render-budget.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

/** `json.dumps(value, sort_keys=True)`, made safe inside HTML: the text of the filter `tojson`. */
export function jsonText(value: unknown, indent: string | null): string {
  const text = dump(value, indent, '');
  return text.replace(/[<>&']/g, (one) => `\\u00${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function dump(given: unknown, indent: string | null, margin: string): string {
  const value = jsonPart(given);
  spendOn(value);
  spend(2);
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Markup) return quoted(value.text);
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (isNumber(value)) return number(value);
  if (Array.isArray(value)) {
    const inner = margin + (indent ?? '');
    return block(
      '[',
      ']',
      Array.from(value, (item) => dump(item, indent, inner)),
      indent,
      margin,
    );
  }
  if (isDict(value)) return mapping(value, indent, margin);
  return raise('TypeError', `Object of type ${typeName(value)} is not JSON serializable`);
}

function mapping(value: object, indent: string | null, margin: string): string {
  const inner = margin + (indent ?? '');
  const pairs = dictPairs(value).sort(([a], [b]) => compareOrder(a, b, '<'));
  const lines = pairs.map(([key, member]) => `${quoted(keyText(key))}: ${dump(member, indent, inner)}`);
  return block('{', '}', lines, indent, margin);
}

/** A member of an enum that is a text or a number is that in JSON; a number of numpy is none of Python's. */
function jsonPart(value: unknown): unknown {
  return value instanceof DescribedScalar && value.isJson ? value.plain : value;
}

function keyText(given: unknown): string {
  const key = jsonPart(given);
  if (typeof key === 'string') return key;
  if (key instanceof Markup) return key.text;
  if (key === null) return 'null';
  if (typeof key === 'boolean') return String(key);
  if (isNumber(key)) return number(key);
  return raise('TypeError', `keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

function block(open: string, close: string, lines: readonly string[], indent: string | null, margin: string): string {
  if (lines.length === 0) return open + close;
  if (indent === null) return open + lines.join(', ') + close;
  const inner = `\n${margin}${indent}`;
  return `${open}${inner}${lines.join(`,${inner}`)}\n${margin}${close}`;
}

function number(value: unknown): string {
  const text = pythonRepr(value);
  return text === 'nan' ? 'NaN' : text === 'inf' ? 'Infinity' : text === '-inf' ? '-Infinity' : text;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (one) =>
    one === '\u007f' ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
