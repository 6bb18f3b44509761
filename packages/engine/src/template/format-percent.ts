import { DescribedObject } from './described.ts';
import { characterOf, floatDigits } from './format-spec.ts';
import { pythonAscii, pythonRepr, pythonStr } from './python-text.ts';
import { dictGet, isDict, Markup, plainOf, Tuple, Undefined } from './python-types.ts';
import { characters, isFloat, isInt, isNumber, isText, numeric, textLength } from './python-values.ts';
import { spendMembers } from './render-budget.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

/** A key whose bracket never closes takes all that is left, so that it is looked for once. */
const directive = /%(?:\(([^)]*)(\)|$))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]?([\s\S])?/gu;

type Escape = (text: string) => string;

/**
 * Python's `text % value`.
 *
 * @param escaped what texts pass that are put into one that is safe already (MarkupSafe)
 * @throws PythonError
 */
export function formatPercent(text: string, value: unknown, escaped: Escape = (same) => same): string {
  const args = value instanceof Tuple ? [...value] : [value];
  const mapping = isDict(value) ? value : null;
  let used = 0;
  const next = (): unknown => {
    if (used >= args.length) return raise('TypeError', 'not enough arguments for format string');
    return args[used++];
  };
  spendMembers(text.length);
  const out = text.replace(directive, (whole, key, closed, flags: string, width, precision, code, offset: number) => {
    if (closed === '') return raise('ValueError', 'incomplete format key');
    if (code === undefined) return raise('ValueError', 'incomplete format');
    if (code === '%' && whole === '%%') return '%';
    const size = width === '*' ? Number(next()) : Number(width ?? 0);
    const digits = precision === '*' ? Number(next()) : precision === undefined ? null : Number(precision || 0);
    let given: unknown;
    if (key !== undefined) {
      if (mapping === null) return raise('TypeError', 'format requires a mapping');
      given = dictGet(mapping, key);
      if (given === undefined) return raise('KeyError', pythonRepr(key));
      used = args.length;
    } else given = next();
    return directed(given, { flags, width: size, precision: digits, code, escaped }, offset + whole.length - 1);
  });
  const isIndexed = (Array.isArray(value) && !(value instanceof Tuple)) || value instanceof Undefined;
  const mayStay = mapping !== null || isIndexed;
  if (used < args.length && !mayStay) return raise('TypeError', 'not all arguments converted during string formatting');
  return out;
}

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | null;
  readonly code: string;
  readonly escaped: Escape;
}

function directed(given: unknown, { flags, width, precision, code, escaped }: Directive, at: number): string {
  const value = 'sra'.includes(code) ? given : numberIn(given);
  const place = (sign: string, body: string, zero: boolean): string => {
    const missing = Math.max(0, width - textLength(sign + body));
    if (flags.includes('-')) return sign + body + ' '.repeat(missing);
    return zero ? sign + '0'.repeat(missing) + body : ' '.repeat(missing) + sign + body;
  };
  const zero = flags.includes('0');
  const signOf = (negative: boolean): string =>
    negative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  switch (code) {
    case 's':
    case 'r':
    case 'a':
      return place('', convertedText(value, code, precision, escaped), false);
    case 'c':
      return place('', oneCharacter(value), false);
    case 'd':
    case 'i':
    case 'u': {
      if (!isNumber(value)) return badNumber(value, code, 'a real number is required');
      const number = isInt(value) ? BigInt(numeric(value)) : BigInt(Math.trunc(Number(numeric(value))));
      const digits = String(number < 0n ? -number : number).padStart(precision ?? 0, '0');
      return place(signOf(number < 0n), digits, zero);
    }
    case 'x':
    case 'X':
    case 'o': {
      if (!isInt(value)) return badNumber(value, code, 'an integer is required');
      const number = BigInt(numeric(value));
      const body = (number < 0n ? -number : number).toString(code === 'o' ? 8 : 16).padStart(precision ?? 0, '0');
      const prefix = flags.includes('#') ? `0${code}` : '';
      return place(signOf(number < 0n) + prefix, code === 'X' ? body.toUpperCase() : body, zero);
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': {
      if (!isInt(value) && !isFloat(value)) return notReal(value);
      const number = Number(numeric(value));
      const negative = number < 0 || Object.is(number, -0);
      return place(signOf(negative), floatDigits(Math.abs(number), code, precision, flags.includes('#')), zero);
    }
    default: {
      const hex = (code.codePointAt(0) ?? 0).toString(16);
      return raise('ValueError', `unsupported format character '${code}' (0x${hex}) at index ${at}`);
    }
  }
}

/** What `%d` and `%f` write of an object of a program. */
function numberIn(value: unknown): unknown {
  return value instanceof DescribedObject && value.told.number !== null ? value.told.number : plainOf(value);
}

function convertedText(value: unknown, code: string, precision: number | null, escaped: Escape): string {
  const plain = code === 's' ? pythonStr(value) : code === 'r' ? pythonRepr(value) : pythonAscii(value);
  const text = code === 's' && value instanceof Markup ? plain : escaped(plain);
  return precision === null ? text : characters(text).slice(0, precision).join('');
}

function oneCharacter(value: unknown): string {
  if (isText(value) && textLength(pythonStr(value)) === 1) return pythonStr(value);
  return isInt(value) ? characterOf(value) : raise('TypeError', '%c requires int or char');
}

function badNumber(value: unknown, code: string, why: string): never {
  if (value instanceof Undefined && why.startsWith('a real')) return value.fail();
  return raise('TypeError', `%${code} format: ${why}, not ${typeName(value)}`);
}

function notReal(value: unknown): never {
  if (value instanceof Undefined) return value.fail();
  const text = value instanceof Markup;
  return raise('TypeError', `must be real number, not ${text ? 'Markup' : typeName(value)}`);
}
