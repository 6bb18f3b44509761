import { Float } from '../value/float.ts';
import { dividedExactly } from './divided-exactly.ts';
import { escapeHtml } from './escape-html.ts';
import { fixed } from './fixed.ts';
import { formatPercent } from './format-percent.ts';
import { pythonStr } from './python-text.ts';
import { Markup, plainOf, Tuple, tuple, Undefined } from './python-types.ts';
import { asFloat, asInt, isInt, isNumber, isText, numeric } from './python-values.ts';
import { spend, spendCharacters, spendMembers } from './render-budget.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '** or pow()';

/** Python's binary operators on numbers, texts, lists. @throws PythonError */
export function binary(operator: BinaryOperator, first: unknown, second: unknown): unknown {
  const left = plainOf(first);
  if (operator === '%' && isText(left)) {
    if (left instanceof Markup) return new Markup(formatPercent(left.text, second, escapeHtml));
    return formatPercent(pythonStr(left), second);
  }
  const right = plainOf(second);
  if (left instanceof Undefined) return left.fail();
  if (right instanceof Undefined) return right.fail();
  if (isNumber(left) && isNumber(right)) return arithmetic(operator, left, right);
  if (operator === '+') return add(left, right);
  if (operator === '*') return repeat(left, right);
  return unsupported(operator, left, right);
}

function unsupported(operator: BinaryOperator, left: unknown, right: unknown): never {
  return raise(
    'TypeError',
    `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`,
  );
}

function add(left: unknown, right: unknown): unknown {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (isText(left) && isText(right)) {
    const escaped = (value: string | Markup): string => (typeof value === 'string' ? escapeHtml(value) : value.text);
    return new Markup(escaped(left) + escaped(right));
  }
  if (left instanceof Tuple && right instanceof Tuple) return tuple([...left, ...right]);
  const lists = Array.isArray(left) && Array.isArray(right);
  if (lists && !(left instanceof Tuple) && !(right instanceof Tuple)) return Array.from([...left, ...right]);
  if (isText(left)) return raise('TypeError', `can only concatenate str (not "${typeName(right)}") to str`);
  if (Array.isArray(left)) {
    const kind = left instanceof Tuple ? 'tuple' : 'list';
    return raise('TypeError', `can only concatenate ${kind} (not "${typeName(right)}") to ${kind}`);
  }
  return unsupported('+', left, right);
}

const largestIndex = 2n ** 63n - 1n;

function repeat(left: unknown, right: unknown): unknown {
  const [sequence, times] = isText(left) || Array.isArray(left) ? [left, right] : [right, left];
  if (!isText(sequence) && !Array.isArray(sequence)) return unsupported('*', left, right);
  if (!isInt(times)) return raise('TypeError', `can't multiply sequence by non-int of type '${typeName(times)}'`);
  if (numeric(times) > largestIndex) return raise('OverflowError', "cannot fit 'int' into an index-sized integer");
  const count = sequenceLength(sequence) === 0 ? 0 : Math.max(0, Number(times));
  if (typeof sequence === 'string') return sequence.repeat(count);
  if (sequence instanceof Markup) return new Markup(sequence.text.repeat(count));
  spendMembers(sequence.length * count);
  const items: unknown[] = [];
  for (let round = 0; round < count; round++) for (const item of sequence) items.push(item);
  return sequence instanceof Tuple ? tuple(items) : items;
}

function sequenceLength(sequence: string | Markup | readonly unknown[]): number {
  return sequence instanceof Markup ? sequence.text.length : sequence.length;
}

function arithmetic(operator: BinaryOperator, left: unknown, right: unknown): unknown {
  const a = numeric(left);
  const b = numeric(right);
  if (isInt(left) && isInt(right)) return integers(operator, a, b);
  return floats(operator, toFloat(a), toFloat(b));
}

function toFloat(value: number | bigint): number {
  const float = Number(value);
  if (typeof value === 'bigint' && !Number.isFinite(float)) raise('OverflowError', 'int too large to convert to float');
  return float;
}

function integers(operator: BinaryOperator, a: number | bigint, b: number | bigint): unknown {
  switch (operator) {
    case '+':
    case '-':
    case '*': {
      if (typeof a === 'number' && typeof b === 'number') {
        const quick = operator === '+' ? a + b : operator === '-' ? a - b : a * b;
        if (Number.isSafeInteger(quick)) return quick === 0 ? 0 : quick;
      }
      const [x, y] = [BigInt(a), BigInt(b)];
      spendCharacters(bits(x) + bits(y));
      return ofBoundedSize(operator === '+' ? x + y : operator === '-' ? x - y : x * y);
    }
    case '/':
      if (Number(b) === 0) return raise('ZeroDivisionError', 'division by zero');
      return asFloat(dividedExactly(a, b));
    case '//':
    case '%':
      return dividedDown(operator, a, b);
    default:
      return power(a, b);
  }
}

/** Bits of one number times bits of the other: dividing takes longer the longer both are. */
const dividedInAStep = 100_000;

function dividedDown(operator: '//' | '%', a: number | bigint, b: number | bigint): unknown {
  if (Number(b) === 0)
    return raise(
      'ZeroDivisionError',
      operator === '%' ? 'integer modulo by zero' : 'integer division or modulo by zero',
    );
  const [x, y] = [BigInt(a), BigInt(b)];
  if (typeof a === 'bigint' || typeof b === 'bigint') spend((bits(x) * bits(y)) / dividedInAStep);
  const rest = x % y;
  const modulo = rest !== 0n && rest < 0n !== y < 0n ? rest + y : rest;
  return asInt(operator === '%' ? modulo : (x - modulo) / y);
}

const maxBits = 1e6;

/** As many as there are in hexadecimal digits. */
function bits(value: bigint): number {
  return value.toString(16).length * 4;
}

function ofBoundedSize(value: bigint): number | bigint {
  if (bits(value) > 4 * maxBits) return raise('NotSupportedError', 'a number of more than four million bits');
  return asInt(value);
}

function power(a: number | bigint, b: number | bigint): unknown {
  if (b < 0) {
    if (Number(a) === 0) return raise('ZeroDivisionError', '0.0 cannot be raised to a negative power');
    return asFloat(toFloat(a) ** toFloat(b));
  }
  const size = bits(BigInt(a)) * Number(b);
  if (size > maxBits) return raise('NotSupportedError', 'a power of more than a million bits');
  spendCharacters(size);
  return asInt(BigInt(a) ** BigInt(b));
}

function floats(operator: BinaryOperator, a: number, b: number): unknown {
  switch (operator) {
    case '+':
      return asFloat(a + b);
    case '-':
      return asFloat(a - b);
    case '*':
      return asFloat(a * b);
    case '/':
      return b === 0 ? raise('ZeroDivisionError', 'float division by zero') : asFloat(a / b);
    case '%':
      return b === 0 ? raise('ZeroDivisionError', 'float modulo') : asFloat(floatModulo(a, b));
    case '//': {
      if (b === 0) return raise('ZeroDivisionError', 'float floor division by zero');
      const quotient = (a - floatModulo(a, b)) / b;
      if (quotient === 0) return asFloat((a / b) * 0);
      const floor = Math.floor(quotient);
      return asFloat(quotient - floor > 0.5 ? floor + 1 : floor);
    }
    default:
      if (a === 0 && b < 0) return raise('ZeroDivisionError', '0.0 cannot be raised to a negative power');
      if (a < 0 && !Number.isInteger(b) && Number.isFinite(b))
        return raise('NotSupportedError', 'the power would be a complex number');
      return asFloat(finitePower(a, b));
  }
}

function finitePower(a: number, b: number): number {
  const result = a ** b;
  if (!Number.isFinite(result) && Number.isFinite(a) && Number.isFinite(b))
    raise('OverflowError', "(34, 'Numerical result out of range')");
  return result;
}

function floatModulo(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

/** Python's `-value` and `+value`. */
export function signed(operator: '-' | '+', given: unknown): unknown {
  const value = plainOf(given);
  if (value instanceof Undefined) return value.fail();
  if (!isNumber(value)) return raise('TypeError', `bad operand type for unary ${operator}: '${typeName(value)}'`);
  const number = numeric(value);
  if (operator === '+') return value instanceof Float ? value : number;
  if (value instanceof Float) return new Float(-number);
  return typeof number === 'bigint' ? asInt(-number) : number === 0 ? 0 : -number;
}

/** Python's `round(value, digits)`: half to even, on the exact value of the float. */
export function roundNumber(given: unknown, digits: number | null): unknown {
  const value = plainOf(given);
  if (!isNumber(value)) return raise('TypeError', `type ${typeName(value)} doesn't define __round__ method`);
  const number = numeric(value);
  if (isInt(value)) return digits === null || digits >= 0 ? asInt(number) : roundInteger(BigInt(number), -digits);
  const float = Number(number);
  if (digits === null) {
    if (Number.isNaN(float)) return raise('ValueError', 'cannot convert float NaN to integer');
    if (!Number.isFinite(float)) return raise('OverflowError', 'cannot convert float infinity to integer');
    return asInt(BigInt(roundFloat(float, 0)));
  }
  return Number.isFinite(float) ? asFloat(roundFloat(float, digits)) : float;
}

function roundInteger(value: bigint, digits: number): unknown {
  if (digits > maxBits) return raise('NotSupportedError', 'rounding to more than a million digits');
  const unit = 10n ** BigInt(digits);
  const rest = ((value % unit) + unit) % unit;
  const down = value - rest;
  const up = rest * 2n > unit || (rest * 2n === unit && (down / unit) % 2n !== 0n);
  return asInt(up ? down + unit : down);
}

function roundFloat(value: number, digits: number): number {
  if (digits > 300) return value;
  if (digits < 0) {
    const unit = 10 ** -digits;
    return roundFloat(value / unit, 0) * unit;
  }
  const text = Math.abs(value) < 1e21 && digits <= 100 ? fixed(value, digits) : String(value);
  return Number(text);
}
