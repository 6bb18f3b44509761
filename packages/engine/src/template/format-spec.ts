import { stringifyFloat } from '../value/float.ts';
import { fixed } from './fixed.ts';
import { pythonStr } from './python-text.ts';
import { Markup, plainOf } from './python-types.ts';
import { asInt, characters, isFloat, isInt, numeric, textLength } from './python-values.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly alternate: boolean;
  readonly zero: boolean;
  readonly width: number;
  readonly group: string;
  readonly precision: number | null;
  readonly type: string;
}

const specPattern = /^(?:([\s\S])?([<>=^]))?([-+ ])?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([a-zA-Z%])?$/u;

/** Python's `format(value, spec)` for texts, ints and floats. */
export function formatValue(given: unknown, specification: string): string {
  if (specification === '') return pythonStr(given);
  const plain = plainOf(given);
  // Texts are written as they print, numbers as the numbers that they are.
  const value = typeof plain === 'string' ? pythonStr(given) : plain;
  const found = specPattern.exec(specification);
  const kind = typeName(given);
  if (found === null)
    return raise('ValueError', `Invalid format specifier '${specification}' for object of type '${kind}'`);
  const spec: Spec = {
    fill: found[1] ?? (found[5] === undefined ? ' ' : '0'),
    align: found[2] ?? '',
    sign: found[3] ?? '',
    alternate: found[4] !== undefined,
    zero: found[5] !== undefined,
    width: Number(found[6] ?? 0),
    group: found[7] ?? '',
    precision: found[8] === undefined ? null : Number(found[8]),
    type: found[9] ?? '',
  };
  if (typeof value === 'string' || value instanceof Markup) return formatText(pythonStr(value), spec);
  if (isInt(value)) return formatInt(value, spec);
  if (isFloat(value)) return formatFloat(Number(numeric(value)), spec);
  return raise('TypeError', `unsupported format string passed to ${kind}.__format__`);
}

function formatText(text: string, spec: Spec): string {
  if (spec.type !== '' && spec.type !== 's')
    return raise('ValueError', `Unknown format code '${spec.type}' for object of type 'str'`);
  if (spec.group !== '') return raise('ValueError', `Cannot specify '${spec.group}' with 's'.`);
  if (spec.sign !== '') {
    const sign = spec.sign === ' ' ? 'Space' : 'Sign';
    return raise('ValueError', `${sign} not allowed in string format specifier`);
  }
  if (spec.alternate) return raise('ValueError', 'Alternate form (#) not allowed in string format specifier');
  if (spec.align === '=') return raise('ValueError', "'=' alignment not allowed in string format specifier");
  const cut = spec.precision === null ? text : characters(text).slice(0, spec.precision).join('');
  return pad('', cut, spec, '<');
}

function formatInt(value: number | bigint | boolean, spec: Spec): string {
  const number = numeric(value);
  if ('eEfFgG%'.includes(spec.type) && spec.type !== '') return formatFloat(Number(number), spec);
  if (spec.precision !== null) return raise('ValueError', 'Precision not allowed in integer format specifier');
  const size = number < 0 ? -number : number;
  switch (spec.type) {
    case '':
    case 'd':
    case 'n':
      return finish(number < 0, '', grouped(String(asInt(size)), spec.group, 3), spec);
    case 'x':
      return finish(number < 0, spec.alternate ? '0x' : '', grouped(size.toString(16), spec.group, 4), spec);
    case 'X':
      return finish(
        number < 0,
        spec.alternate ? '0X' : '',
        grouped(size.toString(16).toUpperCase(), spec.group, 4),
        spec,
      );
    case 'o':
      return finish(number < 0, spec.alternate ? '0o' : '', grouped(size.toString(8), spec.group, 4), spec);
    case 'b':
      return finish(number < 0, spec.alternate ? '0b' : '', grouped(size.toString(2), spec.group, 4), spec);
    case 'c':
      return pad('', characterOf(number), spec, '<');
    default:
      return raise('ValueError', `Unknown format code '${spec.type}' for object of type '${typeName(value)}'`);
  }
}

/** The character of a code point, as `%c` and `{:c}` write it. */
export function characterOf(value: number | bigint | boolean): string {
  const code = Number(value);
  if (Math.abs(code) >= 2 ** 63) return raise('OverflowError', 'Python int too large to convert to C long');
  return code >= 0 && code < 0x110000
    ? String.fromCodePoint(code)
    : raise('OverflowError', '%c arg not in range(0x110000)');
}

function formatFloat(value: number, spec: Spec): string {
  const negative = value < 0 || Object.is(value, -0);
  if (!'eEfFgG%n'.includes(spec.type))
    return raise('ValueError', `Unknown format code '${spec.type}' for object of type 'float'`);
  const body = floatDigits(Math.abs(value), spec.type, spec.precision, spec.alternate);
  const [whole = '', rest = ''] = /^(\d+)(.*)$/.exec(body)?.slice(1) ?? [body, ''];
  return finish(negative, '', grouped(whole, spec.group, 3) + rest, spec);
}

/** The digits of a size by a `%` or format code; in the alternate form with a point. */
export function floatDigits(size: number, type: string, precision: number | null, alternate = false): string {
  const digits = shortestDigits(size, type, precision, alternate);
  const hasPoint = !alternate || !Number.isFinite(size) || digits.includes('.');
  return hasPoint ? digits : digits.replace(/^\d+/, '$&.');
}

function shortestDigits(size: number, type: string, precision: number | null, alternate: boolean): string {
  if (!Number.isFinite(size)) {
    const word = Number.isNaN(size) ? 'nan' : 'inf';
    return type !== '' && type === type.toUpperCase() && type !== '%'
      ? word.toUpperCase()
      : word + (type === '%' ? '%' : '');
  }
  switch (type) {
    case 'f':
    case 'F':
      return fixed(size, precision ?? 6);
    case '%':
      return `${fixed(size * 100, precision ?? 6)}%`;
    case 'e':
    case 'E': {
      const text = exponent(size.toExponential(precision ?? 6));
      return type === 'E' ? text.toUpperCase() : text;
    }
    case '':
      if (precision === null) return stringifyFloat(size);
      return general(size, precision, alternate, true);
    default: {
      const text = general(size, precision ?? 6, alternate, false);
      return type === 'G' ? text.toUpperCase() : text;
    }
  }
}

function exponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

function general(size: number, precision: number, alternate: boolean, keepPoint: boolean): string {
  const digits = precision === 0 ? 1 : precision;
  const scientific = size.toExponential(digits - 1);
  const power = size === 0 ? 0 : Number(scientific.split('e')[1]);
  const isSmall = power < -4 || power >= (keepPoint ? Math.max(digits - (digits > 1 ? 0 : 0), 1) : digits);
  if (isSmall || (keepPoint && power === digits)) {
    const [mantissa = '', tail = ''] = scientific.split('e');
    const short = alternate ? mantissa : mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
    return exponent(`${short}e${tail}`);
  }
  const text = fixed(size, Math.max(0, digits - 1 - power));
  if (alternate) return text;
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return keepPoint && !short.includes('.') ? `${short}.0` : short;
}

function grouped(digits: string, mark: string, size: number): string {
  if (mark === '') return digits;
  const groups = [digits.slice(0, digits.length % size)];
  for (let at = digits.length % size; at < digits.length; at += size) groups.push(digits.slice(at, at + size));
  return groups.filter((group) => group !== '').join(mark);
}

function finish(negative: boolean, prefix: string, body: string, spec: Spec): string {
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign;
  return pad(sign + prefix, body, spec, spec.zero && spec.align === '' ? '=' : '>');
}

function pad(prefix: string, body: string, spec: Spec, usual: string): string {
  const missing = Math.max(0, spec.width - textLength(prefix + body));
  const filling = (count: number): string => spec.fill.repeat(count);
  switch (spec.align === '' ? usual : spec.align) {
    case '<':
      return prefix + body + filling(missing);
    case '^':
      return filling(Math.floor(missing / 2)) + prefix + body + filling(Math.ceil(missing / 2));
    case '=':
      return prefix + filling(missing) + body;
    default:
      return filling(missing) + prefix + body;
  }
}
