import { asciiDigits } from '../value/python-text.ts';
import { DescribedObject } from './described.ts';
import { fixed } from './fixed.ts';
import { binary, roundNumber } from './python-number.ts';
import { pythonRepr, pythonStr } from './python-text.ts';
import { plainOf, Undefined } from './python-types.ts';
import { asFloat, asInt, index, isFloat, isInt, isNumber, isText, numeric, truth } from './python-values.ts';
import { raise } from './template-error.ts';
import * as text from './text-functions.ts';
import { typeName } from './type-name.ts';

export function fileSize([value, binaryUnits]: readonly unknown[]): string {
  const bytes = floatOf(value);
  const isBinary = truth(binaryUnits);
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${String(integerOf(asFloat(bytes), () => 10))} Bytes`;
  const letters = ['K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
  let unit = base;
  for (const [at, letter] of letters.entries()) {
    unit *= base;
    const prefix = isBinary ? `${letter}iB` : `${letter === 'K' ? 'k' : letter}B`;
    if (bytes < unit || at === letters.length - 1) return `${fixed((base * bytes) / unit, 1)} ${prefix}`;
  }
  return '';
}

/** Python's `float(value)`. */
function floatOf(given: unknown): number {
  const value = plainOf(given);
  if (value instanceof Undefined) return value.fail();
  if (isNumber(value)) return Number(numeric(value));
  if (value instanceof DescribedObject && value.told.number !== null) return Number(value.told.number);
  if (!isText(value)) {
    const name = typeName(value);
    return raise('TypeError', `float() argument must be a string or a real number, not '${name}'`);
  }
  const digits = asciiDigits(text.strip(pythonStr(value), null));
  const body = digits.replace(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(body)) return Number(body);
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(body);
  if (special === null)
    return raise('ValueError', `could not convert string to float: ${pythonRepr(pythonStr(value))}`);
  if (/nan/i.test(special[2] ?? '')) return Number.NaN;
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function integerOf(given: unknown, base: () => number): number | bigint | undefined {
  const value = plainOf(given);
  if (isText(value)) {
    const body = asciiDigits(text.strip(pythonStr(value), null)).replace(/(?<=[\da-z])_(?=[\da-z])/gi, '');
    const exact = parseInteger(body, base());
    if (exact !== undefined) return exact;
  } else if (isInt(value)) return numeric(value);
  else if (value instanceof Undefined) return value.fail();
  const told = value instanceof DescribedObject ? value.told.number : null;
  if (told === null && !isText(value) && !isFloat(value)) return undefined;
  const float = isText(value) ? attemptFloat(value) : Number(numeric(told ?? value));
  if (float === undefined || !Number.isFinite(float)) {
    if (float !== undefined && !isText(value) && !Number.isNaN(float))
      return raise('OverflowError', 'cannot convert float infinity to integer');
    return undefined;
  }
  return asInt(BigInt(Math.trunc(float)));
}

export function attemptFloat(value: unknown): number | undefined {
  try {
    return floatOf(value);
  } catch {
    return undefined;
  }
}

/** Digits of a text that Python reads as an int. */
const longestInteger = 4300;

function parseInteger(body: string, base: number): number | bigint | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(body) ?? [];
  const prefix = { 2: '0b', 8: '0o', 16: '0x' }[base];
  const bare = prefix !== undefined && digits.toLowerCase().startsWith(prefix) ? digits.slice(2) : digits;
  if (bare === '' || bare.length > longestInteger) return undefined;
  let total = 0n;
  for (const digit of bare.toLowerCase()) {
    const worth = /[\da-z]/.test(digit) ? Number.parseInt(digit, 36) : Number.NaN;
    if (!(worth < base)) return undefined;
    total = total * BigInt(base) + BigInt(worth);
  }
  return asInt(sign === '-' ? -total : total);
}

export function roundFilter([value, precision, method]: readonly unknown[]): unknown {
  const how = method === undefined ? 'common' : method;
  if (how !== 'common' && how !== 'ceil' && how !== 'floor')
    return raise('FilterArgumentError', 'method must be common, ceil or floor');
  const digits = precision === undefined ? 0 : precision;
  if (how === 'common') return roundNumber(value, index(digits));
  const scale = binary('** or pow()', 10, digits);
  const product = binary('*', value, scale);
  if (!isNumber(product)) return raise('TypeError', `must be real number, not ${typeName(product)}`);
  const scaled = numeric(product);
  const whole = typeof scaled === 'bigint' ? scaled : how === 'ceil' ? Math.ceil(scaled) : Math.floor(scaled);
  return binary('/', whole === 0 ? 0 : whole, scale);
}
