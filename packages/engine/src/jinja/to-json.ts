import { Float, printFloat } from '../value/float.ts';
import { compareTexts, order } from './operators.ts';
import { Captured, dictPairs, isDict, typeName } from './python-values.ts';
import { fail } from './template-error.ts';

/** Jinja2's `tojson`: `json.dumps(value, sort_keys=True)`, then what could close a tag escaped. */
export function toJson(value: unknown, indent: number | undefined): string {
  return print(value, indent, '\n')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll("'", '\\u0027');
}

function print(value: unknown, indent: number | undefined, line: string): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Captured) return quote(value.plain);
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number' || value instanceof Float) return number(value);
  if (Array.isArray(value))
    return bracketed(
      '[',
      Array.from(value, (item) => print(item, indent, deeper(line, indent))),
      ']',
      indent,
      line,
    );
  if (!isDict(value)) return fail('TypeError', `Object of type ${typeName(value)} is not JSON serializable`);
  const pairs = dictPairs(value).sort(([left], [right]) =>
    typeof left === 'string' && typeof right === 'string' ? compareTexts(left, right) : order(left, right),
  );
  const members = pairs.map(
    ([key, member]) => `${quote(keyText(key))}: ${print(member, indent, deeper(line, indent))}`,
  );
  return bracketed('{', members, '}', indent, line);
}

function deeper(line: string, indent: number | undefined): string {
  return line + ' '.repeat(indent ?? 0);
}

function bracketed(
  open: string,
  parts: readonly string[],
  close: string,
  indent: number | undefined,
  line: string,
): string {
  if (parts.length === 0) return open + close;
  if (indent === undefined) return open + parts.join(', ') + close;
  const inner = deeper(line, indent);
  return open + inner + parts.join(`,${inner}`) + line + close;
}

function number(value: number | Float): string {
  if (typeof value === 'number' && Number.isInteger(value)) return String(value);
  const text = printFloat(value.valueOf());
  return { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }[text] ?? text;
}

function keyText(key: unknown): string {
  if (typeof key === 'string') return key;
  if (key === null) return 'null';
  if (typeof key === 'boolean' || typeof key === 'bigint') return String(key);
  if (typeof key === 'number' || key instanceof Float) return number(key);
  return fail('TypeError', `keys must be str, int, float, bool or None, not ${typeName(key)}`);
}

function quote(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
