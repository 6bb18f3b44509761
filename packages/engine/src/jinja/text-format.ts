import { printFloat } from '../value/float.ts';
import { getKey, hasKey, iterate } from './operators.ts';
import { isDict, isFloat, isInteger, isNumber, reprOf, Tuple, textOf, typeName, Undefined } from './python-values.ts';
import { fail } from './template-error.ts';

const percentPattern = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?([a-zA-Z%])?/g;

/** Python's `text % values`. */
export function formatPercent(text: string, values: unknown): string {
  const list = values instanceof Tuple ? values : [values];
  let used = 0;
  let named = false;
  const take = (): unknown => {
    if (used >= list.length) fail('TypeError', 'not enough arguments for format string');
    used += 1;
    return list[used - 1];
  };
  const result = text.replace(
    percentPattern,
    (
      _whole,
      key: string | undefined,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      kind: string | undefined,
    ) => {
      if (kind === undefined) return fail('ValueError', 'incomplete format');
      if (kind === '%') return '%';
      const wide = width === '*' ? Number(take()) : Number(width ?? 0);
      const exact = precision === '*' ? Number(take()) : precision === undefined ? undefined : Number(precision);
      if (key !== undefined) named = true;
      const value = key === undefined ? take() : fromMapping(values, key);
      return pad(convertPercent(kind, value, flags, exact), flags, wide, 'diufFeEgGxXo'.includes(kind));
    },
  );
  if (!named && used < list.length && !isDict(values))
    fail('TypeError', 'not all arguments converted during string formatting');
  return result;
}

function fromMapping(values: unknown, key: string): unknown {
  if (!isDict(values)) return fail('TypeError', 'format requires a mapping');
  return hasKey(values, key) ? getKey(values, key) : fail('KeyError', reprOf(key));
}

function convertPercent(kind: string, value: unknown, flags: string, precision: number | undefined): string {
  if (kind === 's' || kind === 'r' || kind === 'a') {
    const text = kind === 's' ? textOf(value) : reprOf(value);
    return precision === undefined ? text : Array.from(text).slice(0, precision).join('');
  }
  if (kind === 'c') return isInteger(value) ? String.fromCodePoint(Number(value)) : textOf(value);
  if ('diu'.includes(kind)) return signed(integerText(value, kind), flags);
  if ('xXo'.includes(kind)) return signed(inBase(value, kind, flags), flags);
  if (!'fFeEgG'.includes(kind))
    return fail(
      'ValueError',
      `unsupported format character '${kind}' (0x${kind.charCodeAt(0).toString(16)}) at index 0`,
    );
  if (!isNumber(value)) return fail('TypeError', `must be real number, not ${typeName(value)}`);
  return signed(floatText(Number(value), kind, precision ?? 6), flags);
}

function integerText(value: unknown, kind: string): string {
  if (isInteger(value)) return String(BigInt(value));
  if (isFloat(value)) return String(BigInt(Math.trunc(Number(value))));
  return fail('TypeError', `%${kind} format: a real number is required, not ${typeName(value)}`);
}

function inBase(value: unknown, kind: string, flags: string): string {
  if (!isInteger(value)) return fail('TypeError', `%${kind} format: an integer is required, not ${typeName(value)}`);
  const text = BigInt(value).toString(kind === 'o' ? 8 : 16);
  const prefixed = flags.includes('#') ? text.replace(/^-?/, (sign) => `${sign}0${kind}`) : text;
  return kind === 'X' ? prefixed.toUpperCase() : prefixed;
}

function signed(text: string, flags: string): string {
  if (text.startsWith('-')) return text;
  if (flags.includes('+')) return `+${text}`;
  return flags.includes(' ') ? ` ${text}` : text;
}

function pad(text: string, flags: string, width: number, isNumeric: boolean): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  if (!flags.includes('0') || !isNumeric) return ' '.repeat(missing) + text;
  return text.replace(/^[-+ ]?/, (sign) => sign + '0'.repeat(missing));
}

function exponentText(text: string): string {
  return text.replace(/e([-+])(\d)$/, 'e$10$2');
}

/** A float in the notations of C's printf: `f`, `e`, `g`. */
export function floatText(value: number, kind: string, precision: number): string {
  const lower = kind.toLowerCase();
  if (!Number.isFinite(value)) {
    const text = printFloat(value);
    return kind === lower ? text : text.toUpperCase();
  }
  const text =
    lower === 'f'
      ? fixedText(value, precision)
      : lower === 'e'
        ? exponentText(value.toExponential(precision))
        : generalText(value, precision);
  return kind === lower ? text : text.toUpperCase();
}

/** As C's printf: the exact decimal value of the double, rounded half to even. */
export function fixedText(value: number, precision: number): string {
  const limit = 1e21;
  if (precision <= 100 && Math.abs(value) < limit) {
    const text = halfEven(value, precision) ?? value.toFixed(precision);
    return Object.is(value, -0) && !text.startsWith('-') ? `-${text}` : text;
  }
  const whole = BigInt(Math.trunc(value)).toString();
  return precision === 0 ? whole : `${whole}.${'0'.repeat(precision)}`;
}

/** Where `value` lies exactly between two neighbours, the even one; toFixed would take the larger. */
function halfEven(value: number, precision: number): string | undefined {
  const scaled = Math.abs(value) * 10 ** precision;
  if (precision > 15 || scaled > 2 ** 51 || scaled % 1 !== 0.5 || scaled / 10 ** precision !== Math.abs(value))
    return undefined;
  const exact = BigInt(Math.floor(scaled));
  if (!isExactHalf(Math.abs(value), precision)) return undefined;
  const even = exact % 2n === 0n ? exact : exact + 1n;
  const digits = String(even).padStart(precision + 1, '0');
  const sign = value < 0 ? '-' : '';
  return precision === 0 ? sign + digits : `${sign}${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/** Whether `value * 10 ** precision` has the fraction one half exactly: the double then ends in 5 one digit further. */
function isExactHalf(value: number, precision: number): boolean {
  const further = value.toFixed(Math.min(100, precision + 60));
  return /^50*$/.test(further.slice(further.indexOf('.') + 1 + precision));
}

function generalText(value: number, precision: number): string {
  const digits = precision === 0 ? 1 : precision;
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const exponent = Number(value.toExponential(digits - 1).split('e')[1]);
  if (exponent < -4 || exponent >= digits) return exponentText(value.toExponential(digits - 1).replace(/\.?0+e/, 'e'));
  return value
    .toFixed(Math.max(0, digits - 1 - exponent))
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
}

const fieldPattern = /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::((?:[^{}]|\{[^{}]*\})*))?\}|[{}]/g;

/** Python's `text.format(*positional, **named)`. */
export function formatBraces(
  text: string,
  positional: readonly unknown[],
  named: ReadonlyMap<string, unknown>,
): string {
  let automatic = 0;
  const fill = (template: string): string =>
    template.replace(
      fieldPattern,
      (whole, field: string | undefined, conversion: string | undefined, spec: string | undefined) => {
        if (whole === '{{' || whole === '}}') return whole.charAt(0);
        if (field === undefined) return fail('ValueError', `Single '${whole}' encountered in format string`);
        const [, first = '', rest = ''] = /^([^.[]*)(.*)$/s.exec(field) ?? [];
        const start =
          first === ''
            ? positionalAt(positional, automatic++)
            : /^\d+$/.test(first)
              ? positionalAt(positional, Number(first))
              : namedAt(named, first);
        const value = stepsInto(start, rest);
        const converted =
          conversion === 'r' || conversion === 'a' ? reprOf(value) : conversion === 's' ? textOf(value) : value;
        return formatSpec(converted, fill(spec ?? ''));
      },
    );
  return fill(text);
}

function positionalAt(positional: readonly unknown[], index: number): unknown {
  if (index < positional.length) return positional[index];
  return fail('IndexError', `Replacement index ${index} out of range for positional args tuple`);
}

function namedAt(named: ReadonlyMap<string, unknown>, name: string): unknown {
  return named.has(name) ? named.get(name) : fail('KeyError', reprOf(name));
}

function stepsInto(start: unknown, rest: string): unknown {
  let value = start;
  for (const [, attribute, item] of rest.matchAll(/\.([^.[]+)|\[([^\]]*)\]/g)) {
    if (attribute?.startsWith('_') === true)
      fail('SecurityError', `access to attribute '${attribute}' of '${typeName(value)}' object is unsafe.`);
    const key = item !== undefined && /^\d+$/.test(item) ? Number(item) : (item ?? attribute ?? '');
    if (Array.isArray(value) && typeof key === 'number') value = value[key];
    else if (isDict(value) && attribute === undefined)
      value = hasKey(value, key) ? getKey(value, key) : fail('KeyError', reprOf(key));
    else value = new Undefined(`'${typeName(value)} object' has no attribute '${key}'`, false);
  }
  return value;
}

const specPattern = /^(?:(.)?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su;

/** Python's format mini-language. */
export function formatSpec(value: unknown, spec: string): string {
  if (spec === '') return textOf(value);
  const match = specPattern.exec(spec);
  if (match === null) return fail('ValueError', `Invalid format specifier`);
  const [, fillGiven, alignGiven, sign = '-', alternate, zero, width = '0', grouping, precision, kind] = match;
  const isNumeric = isNumber(value) && typeof value !== 'boolean';
  let body =
    isNumeric || (kind !== undefined && kind !== 's')
      ? numberBody(value, kind, precision, alternate !== undefined)
      : limited(textOf(value), precision);
  if (grouping !== undefined) body = grouped(body, grouping);
  if (isNumeric && !body.startsWith('-') && sign !== '-') body = sign + body;
  const align = alignGiven ?? (zero === undefined ? (isNumeric ? '>' : '<') : '=');
  return aligned(body, fillGiven ?? (zero === undefined ? ' ' : '0'), align, Number(width));
}

function limited(text: string, precision: string | undefined): string {
  return precision === undefined ? text : Array.from(text).slice(0, Number(precision)).join('');
}

function numberBody(
  value: unknown,
  kind: string | undefined,
  precision: string | undefined,
  alternate: boolean,
): string {
  if (!isNumber(value))
    return fail('ValueError', `Unknown format code '${kind}' for object of type '${typeName(value)}'`);
  const number = Number(value);
  if (kind === '%') return `${fixedText(number * 100, Number(precision ?? 6))}%`;
  if (kind !== undefined && 'bcodxX'.includes(kind)) return integerBody(value, kind, alternate);
  if (kind !== undefined && 'eEfFgG'.includes(kind)) return floatText(number, kind, Number(precision ?? 6));
  if (precision !== undefined) return floatText(number, 'g', Number(precision));
  return textOf(typeof value === 'boolean' ? number : value);
}

function integerBody(value: unknown, kind: string, alternate: boolean): string {
  if (!isInteger(value))
    return fail('ValueError', `Unknown format code '${kind}' for object of type '${typeName(value)}'`);
  if (kind === 'c') return String.fromCodePoint(Number(value));
  const bases: Readonly<Record<string, number>> = { b: 2, o: 8, d: 10, x: 16, X: 16 };
  const text = BigInt(value).toString(bases[kind]);
  const prefixed = alternate && kind !== 'd' ? text.replace(/^-?/, (minus) => `${minus}0${kind}`) : text;
  return kind === 'X' ? prefixed.toUpperCase() : prefixed;
}

function grouped(text: string, separator: string): string {
  return text.replace(
    /^(-?)(\d+)/,
    (_whole, minus: string, digits: string) => minus + digits.replace(/\B(?=(\d{3})+$)/g, separator),
  );
}

function aligned(text: string, fill: string, align: string, width: number): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  if (align === '<') return text + fill.repeat(missing);
  if (align === '>') return fill.repeat(missing) + text;
  if (align === '=') return text.replace(/^[-+ ]?/, (sign) => sign + fill.repeat(missing));
  const left = Math.floor(missing / 2);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

/** Items of an argument that must be iterable, as a list. */
export function listOf(value: unknown): unknown[] {
  return value instanceof Undefined ? [...iterate(value)] : [...iterate(value)];
}
