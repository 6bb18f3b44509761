import { Float } from '../value/float.ts';
import {
  Captured,
  Dict,
  DictView,
  dictPairs,
  Generator,
  isDict,
  isFloat,
  isInteger,
  isNumber,
  Namespace,
  Range,
  reprOf,
  Tuple,
  textOf,
  toFloat,
  toInteger,
  typeName,
  Undefined,
} from './python-values.ts';
import { fail } from './template-error.ts';
import { formatPercent } from './text-format.ts';

/** Python's truth of a value. */
export function isTrue(value: unknown): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return value !== 0n;
    case 'undefined':
      return false;
    default:
      return isTrueObject(value);
  }
}

function isTrueObject(value: unknown): boolean {
  if (value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Undefined) return value.isStrict ? fail(value.errorClass, value.message) : false;
  if (value instanceof Captured) return value.plain !== '';
  if (value instanceof Float) return value.valueOf() !== 0;
  if (value instanceof Dict) return value.entries.size > 0;
  if (value instanceof Range) return value.length > 0;
  if (value instanceof DictView) return value.items.length > 0;
  if (isDict(value)) return Object.keys(value).length > 0;
  return true;
}

/** A captured text as the text it is; everything that computes with values sees it so. */
export function plain(value: unknown): unknown {
  return value instanceof Captured ? value.plain : value;
}

function defined(value: unknown): unknown {
  return value instanceof Undefined ? fail(value.errorClass, value.message) : plain(value);
}

export function arithmetic(operator: string, leftGiven: unknown, rightGiven: unknown): unknown {
  const left = defined(leftGiven);
  const right = defined(rightGiven);
  if (isNumber(left) && isNumber(right)) return numbers(operator, left, right);
  const combined = sequences(operator, left, right);
  return combined === undefined ? unsupported(operator, left, right) : combined;
}

function unsupported(operator: string, left: unknown, right: unknown): never {
  if (operator === '+' && typeof left === 'string')
    fail('TypeError', `can only concatenate str (not "${typeName(right)}") to str`);
  if (operator === '+' && Array.isArray(left))
    fail('TypeError', `can only concatenate ${typeName(left)} (not "${typeName(right)}") to ${typeName(left)}`);
  if (operator === '*' && (isSequence(left) || isSequence(right))) {
    const other = isSequence(left) ? right : left;
    fail('TypeError', `can't multiply sequence by non-int of type '${typeName(other)}'`);
  }
  const shown = operator === '**' ? '** or pow()' : operator;
  return fail('TypeError', `unsupported operand type(s) for ${shown}: '${typeName(left)}' and '${typeName(right)}'`);
}

function isSequence(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value);
}

function sequences(operator: string, left: unknown, right: unknown): unknown {
  if (operator === '%' && typeof left === 'string') return formatPercent(left, right);
  if (operator === '+') return joined(left, right);
  if (operator !== '*') return undefined;
  if (isSequence(left) && isInteger(right)) return repeated(left, Number(right));
  if (isSequence(right) && isInteger(left)) return repeated(right, Number(left));
  return undefined;
}

function joined(left: unknown, right: unknown): unknown {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (left instanceof Tuple && right instanceof Tuple) return Tuple.of2(...left, ...right);
  if (Array.isArray(left) && Array.isArray(right) && !(left instanceof Tuple) && !(right instanceof Tuple))
    return [...left, ...right];
  return undefined;
}

function repeated(sequence: unknown, times: number): unknown {
  const count = Math.max(0, times);
  if (typeof sequence === 'string')
    return count * sequence.length > 50_000_000 ? fail('MemoryError', '') : sequence.repeat(count);
  const items = sequence as readonly unknown[];
  if (count * items.length > 5_000_000) fail('MemoryError', '');
  const all = Array.from({ length: count }, () => [...items]).flat();
  return sequence instanceof Tuple ? Tuple.of2(...all) : all;
}

function numbers(
  operator: string,
  left: number | bigint | boolean | Float,
  right: number | bigint | boolean | Float,
): unknown {
  if (isFloat(left) || isFloat(right) || operator === '/') return floats(operator, Number(left), Number(right));
  if (typeof left === 'number' && typeof right === 'number') {
    const quick = smallIntegers(operator, left, right);
    if (quick !== undefined && Number.isSafeInteger(quick)) return quick;
  }
  return integers(operator, BigInt(left as number | bigint | boolean), BigInt(right as number | bigint | boolean));
}

function smallIntegers(operator: string, left: number, right: number): number | undefined {
  if (operator === '+') return left + right;
  if (operator === '-') return left - right;
  return operator === '*' ? left * right : undefined;
}

function integers(operator: string, left: bigint, right: bigint): unknown {
  switch (operator) {
    case '+':
      return toInteger(left + right);
    case '-':
      return toInteger(left - right);
    case '*':
      return toInteger(left * right);
    case '**':
      return integerPower(left, right);
    default:
      return integerDivision(operator, left, right);
  }
}

function integerPower(left: bigint, right: bigint): unknown {
  if (right < 0n)
    return left === 0n
      ? fail('ZeroDivisionError', '0.0 cannot be raised to a negative power')
      : toFloat(Number(left) ** Number(right));
  if (right > 100_000n) fail('OverflowError', 'the power is too large');
  return toInteger(left ** right);
}

function integerDivision(operator: string, left: bigint, right: bigint): unknown {
  if (right === 0n)
    fail('ZeroDivisionError', operator === '%' ? 'integer modulo by zero' : 'integer division or modulo by zero');
  let quotient = left / right;
  if (left % right !== 0n && left < 0n !== right < 0n) quotient -= 1n;
  return toInteger(operator === '%' ? left - quotient * right : quotient);
}

function floats(operator: string, left: number, right: number): unknown {
  if (right === 0 && ['/', '//', '%'].includes(operator)) fail('ZeroDivisionError', zeroText(operator));
  const results: Readonly<Record<string, () => number>> = {
    '+': () => left + right,
    '-': () => left - right,
    '*': () => left * right,
    '/': () => left / right,
    '//': () => Math.floor(left / right),
    '%': () => left - Math.floor(left / right) * right,
    '**': () => left ** right,
  };
  return toFloat((results[operator] as () => number)());
}

function zeroText(operator: string): string {
  if (operator === '/') return 'division by zero';
  return operator === '%' ? 'float modulo' : 'float floor division by zero';
}

export function negate(given: unknown, sign: '-' | '+'): unknown {
  const value = defined(given);
  if (!isNumber(value)) return fail('TypeError', `bad operand type for unary ${sign}: '${typeName(value)}'`);
  if (isFloat(value)) return toFloat(sign === '-' ? -Number(value) : Number(value));
  const exact = BigInt(value as number | bigint | boolean);
  return toInteger(sign === '-' ? -exact : exact);
}

/** Python's `==`. */
export function equals(leftGiven: unknown, rightGiven: unknown): boolean {
  const left = plain(leftGiven);
  const right = plain(rightGiven);
  if (left === right) return true;
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right) === 0;
  if (left instanceof Undefined || right instanceof Undefined)
    return left instanceof Undefined && right instanceof Undefined;
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left instanceof Tuple !== right instanceof Tuple || left.length !== right.length) return false;
    return left.every((item, index) => equals(item, right[index]));
  }
  return isDict(left) && isDict(right) && equalDicts(left, right);
}

function equalDicts(left: Dict | Record<string, unknown>, right: Dict | Record<string, unknown>): boolean {
  const pairs = dictPairs(left);
  if (pairs.length !== dictPairs(right).length) return false;
  return pairs.every(([key, value]) => hasKey(right, key) && equals(value, getKey(right, key)));
}

export function hasKey(dict: Dict | Record<string, unknown>, key: unknown): boolean {
  if (dict instanceof Dict) return dict.has(key);
  return typeof key === 'string' && Object.hasOwn(dict, key);
}

export function getKey(dict: Dict | Record<string, unknown>, key: unknown): unknown {
  return dict instanceof Dict ? dict.get(key) : dict[key as string];
}

function compareNumbers(left: number | bigint | boolean | Float, right: number | bigint | boolean | Float): number {
  const a = left instanceof Float ? left.valueOf() : (left as number | bigint);
  const b = right instanceof Float ? right.valueOf() : (right as number | bigint);
  return a < b ? -1 : a > b ? 1 : Number.isNaN(Number(a)) || Number.isNaN(Number(b)) ? Number.NaN : 0;
}

/** Python's order of two values. @throws TypeError as Python does */
export function order(leftGiven: unknown, rightGiven: unknown, operator = '<'): number {
  const left = defined(leftGiven);
  const right = defined(rightGiven);
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (Array.isArray(left) && Array.isArray(right) && left instanceof Tuple === right instanceof Tuple) {
    for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
      if (!equals(left[index], right[index])) return order(left[index], right[index], operator);
    }
    return left.length - right.length;
  }
  return fail(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** By code points, as Python orders texts. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  const a = Array.from(left);
  const b = Array.from(right);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index]?.codePointAt(0) ?? 0) - (b[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

export function compare(operator: string, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return equals(left, right);
    case '!=':
      return !equals(left, right);
    case 'in':
      return contains(right, left);
    case 'not in':
      return !contains(right, left);
    default:
      return ordered(operator, order(left, right, operator));
  }
}

function ordered(operator: string, difference: number): boolean {
  if (operator === '<') return difference < 0;
  if (operator === '<=') return difference <= 0;
  return operator === '>' ? difference > 0 : difference >= 0;
}

export function contains(containerGiven: unknown, itemGiven: unknown): boolean {
  const container = plain(containerGiven);
  const item = plain(itemGiven);
  if (typeof container === 'string') {
    if (typeof item !== 'string')
      return fail('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`);
    return container.includes(item);
  }
  if (isDict(container)) return hasKey(container, item);
  if (isNumber(container) || container === null)
    return fail('TypeError', `argument of type '${typeName(container)}' is not iterable`);
  for (const member of iterate(container)) if (equals(member, item)) return true;
  return false;
}

/** The items of a value, as Python iterates over it. @throws TypeError where it does not */
export function iterate(given: unknown): Iterable<unknown> {
  const value = plain(given);
  if (Array.isArray(value) || value instanceof Generator || value instanceof Range) return value;
  if (typeof value === 'string') return Array.from(value);
  if (value instanceof Undefined) return value.isStrict ? fail(value.errorClass, value.message) : [];
  if (value instanceof DictView) return value.items;
  if (isDict(value)) return dictPairs(value).map(([key]) => key);
  return fail('TypeError', `'${typeName(value)}' object is not iterable`);
}

export function lengthOf(given: unknown): number {
  const value = plain(given);
  if (typeof value === 'string') return countCharacters(value);
  if (Array.isArray(value) || value instanceof Range) return value.length;
  if (value instanceof DictView) return value.items.length;
  if (isDict(value)) return dictPairs(value).length;
  if (value instanceof Undefined) return value.isStrict ? fail(value.errorClass, value.message) : 0;
  return fail('TypeError', `object of type '${typeName(value)}' has no len()`);
}

export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) count -= 1;
  }
  return count;
}

/** `value[from:stop:step]` with Python's clamping. */
export function slice(given: unknown, from: unknown, stop: unknown, step: unknown): unknown {
  const value = defined(given);
  const items = typeof value === 'string' ? Array.from(value) : value instanceof Range ? [...value] : value;
  if (!Array.isArray(items)) return undefined;
  const chosen = sliceItems(items, bound(from), bound(stop), bound(step) ?? 1);
  if (typeof value === 'string') return chosen.join('');
  return value instanceof Tuple ? Tuple.of2(...chosen) : chosen;
}

function bound(given: unknown): number | undefined {
  if (given === undefined || given === null) return undefined;
  if (isInteger(given)) return Number(given);
  return fail('TypeError', 'slice indices must be integers or None or have an __index__ method');
}

function sliceItems(
  items: readonly unknown[],
  from: number | undefined,
  stop: number | undefined,
  step: number,
): unknown[] {
  if (step === 0) fail('ValueError', 'slice step cannot be zero');
  const size = items.length;
  const [low, high] = step > 0 ? [0, size] : [-1, size - 1];
  const clamp = (at: number | undefined, fallback: number): number =>
    at === undefined ? fallback : Math.min(Math.max(at < 0 ? at + size : at, low), high);
  const start = clamp(from, step > 0 ? low : high);
  const end = clamp(stop, step > 0 ? high : low);
  const chosen: unknown[] = [];
  for (let at = start; step > 0 ? at < end : at > end; at += step) chosen.push(items[at]);
  return chosen;
}

export { Namespace, reprOf, textOf };
