import { RemoteValue } from '../value/remote-value.ts';
import { cannotBeTold, DescribedObject, type Equality } from './described.ts';
import { PyRange } from './python-range.ts';
import { pythonRepr, pythonStr } from './python-text.ts';
import {
  DictView,
  dictGet,
  dictPairs,
  hashKey,
  isDict,
  Markup,
  PyDict,
  plainOf,
  Tuple,
  Undefined,
} from './python-types.ts';
import { characters, isIterable, isNumber, isText, iterate, numeric } from './python-values.ts';
import { spend, spendCharacters, spendMembers, spendOn } from './render-budget.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

/** Python's `==`. */
export function equals(left: unknown, right: unknown): boolean {
  if (left === right && typeof left !== 'object') return true;
  const a = left instanceof Markup ? left.text : plainOf(left);
  const b = right instanceof Markup ? right.text : plainOf(right);
  if (isOfProgram(a) || isOfProgram(b)) return a === b || equalObjects(a, b);
  if (a instanceof Undefined || b instanceof Undefined) return equalUndefined(a, b);
  if (isNumber(a) || isNumber(b)) {
    // biome-ignore lint/suspicious/noDoubleEquals: an int beyond 2^53 is a bigint, and 2 == 2n
    return isNumber(a) && isNumber(b) && numeric(a) == numeric(b);
  }
  if (a === b) return true;
  spend();
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a instanceof Tuple !== b instanceof Tuple || a.length !== b.length) return false;
    spendMembers(a.length);
    return a.every((item, at) => equals(item, b[at]));
  }
  if (isDict(a) && isDict(b)) return equalDicts(a, b);
  if (a instanceof PyRange && b instanceof PyRange) return equals(a.list(), b.list());
  if (a instanceof DictView && b instanceof DictView && a.kind !== 'values' && b.kind !== 'values') {
    const others = b.list();
    const own = a.list();
    return own.length === others.length && own.every((item) => others.some((other) => equals(item, other)));
  }
  return false;
}

function isOfProgram(value: unknown): value is DescribedObject | RemoteValue {
  return value instanceof DescribedObject || value instanceof RemoteValue;
}

/** By what was told of them, one of them at least an object of a program. */
function equalObjects(left: unknown, right: unknown): boolean {
  const [a, b] = [toldEquality(left), toldEquality(right)];
  if (!isOfProgram(left) || !isOfProgram(right)) {
    const [other, equality] = isOfProgram(left) ? [right, a] : [left, b];
    return equality?.[0] === 'number' && equals(equality[1], other);
  }
  if (a?.[0] === 'number' && b?.[0] === 'number') return equals(a[1], b[1]);
  if (numberOf(left) !== numberOf(right)) return false;
  const isByText = (a?.[0] === 'text' && b?.[0] === 'text') || numberOf(left) !== undefined;
  if (isByText && typeName(left) === typeName(right)) {
    if (pythonRepr(left) === pythonRepr(right)) return true;
    if (a?.[1] === true && b?.[1] === true) return false;
  }
  return cannotBeTold({ type: typeName(left) }, '==');
}

function toldEquality(value: unknown): Equality | undefined {
  if (!isOfProgram(value)) return undefined;
  const told = value instanceof DescribedObject ? value.told.equality : null;
  return told ?? cannotBeTold({ type: typeName(value) }, '==');
}

function equalUndefined(a: unknown, b: unknown): boolean {
  if (a instanceof Undefined && a.strict) return a.fail();
  if (b instanceof Undefined && b.strict) return b.fail();
  return a instanceof Undefined && b instanceof Undefined;
}

function equalDicts(a: object, b: object): boolean {
  const pairs = dictPairs(a);
  if (pairs.length !== dictPairs(b).length) return false;
  return pairs.every(([key, value]) => {
    const other = dictGet(b, key);
    return other !== undefined && equals(value, other);
  });
}

/** Negative, zero or positive as Python orders the two; TypeError when it does not. NaN: never less. */
export function compareOrder(first: unknown, second: unknown, operator: string): number {
  if (first instanceof Undefined) return first.fail();
  if (second instanceof Undefined) return second.fail();
  const [left, right] = [plainOf(first), plainOf(second)];
  if (left instanceof DescribedObject || right instanceof DescribedObject) return orderOfObjects(left, right, operator);
  if (isNumber(left) && isNumber(right)) {
    const a = numeric(left);
    const b = numeric(right);
    // biome-ignore lint/suspicious/noDoubleEquals: an int beyond 2^53 is a bigint, and 2 == 2n
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : Number.NaN;
  }
  if (isText(left) && isText(right)) return compareText(pythonStr(left), pythonStr(right));
  spend();
  if (Array.isArray(left) && Array.isArray(right) && left instanceof Tuple === right instanceof Tuple) {
    spendMembers(Math.min(left.length, right.length));
    for (let at = 0; at < left.length && at < right.length; at++)
      if (!equals(left[at], right[at])) return compareOrder(left[at], right[at], operator);
    return left.length - right.length;
  }
  return notOrdered(left, right, operator);
}

function notOrdered(left: unknown, right: unknown, operator: string): never {
  return raise(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
}

/** Numbers such as `Decimal`, where the nearest floats tell. */
function orderOfObjects(left: unknown, right: unknown, operator: string): number {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) return notOrdered(left, right, operator);
  if (a !== b) return compareOrder(a, b, operator);
  return equals(left, right) ? 0 : cannotBeTold({ type: typeName(left) }, operator);
}

function numberOf(value: unknown): number | undefined {
  if (value instanceof DescribedObject) {
    const { number, tests } = value.told;
    return number === null || !tests.includes('number') ? undefined : Number(number);
  }
  return isNumber(value) ? Number(numeric(value)) : undefined;
}

function compareText(left: string, right: string): number {
  spendCharacters(left.length + right.length);
  if (left === right) return 0;
  if (!/[\ud800-\udfff]/.test(left + right)) return left < right ? -1 : 1;
  const a = characters(left);
  const b = characters(right);
  for (let at = 0; at < a.length && at < b.length; at++) {
    const order = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Python's `item in container`. */
export function contains(given: unknown, sought: unknown): boolean {
  const [container, item] = [plainOf(given), plainOf(sought)];
  if (isText(container)) {
    if (!isText(item))
      return raise('TypeError', `'in <string>' requires string as left operand, not ${typeName(sought)}`);
    spendOn(container);
    return pythonStr(container).includes(pythonStr(item));
  }
  if (isDict(container)) return hasKey(container, item);
  if (container instanceof DictView && container.kind === 'keys') return hasKey(container.dict, item);
  if (!isIterable(container)) return raise('TypeError', `argument of type '${typeName(container)}' is not iterable`);
  for (const member of iterate(container)) {
    spendMembers(1);
    if (member === item || equals(member, item)) return true;
  }
  return false;
}

function hasKey(dict: object, key: unknown): boolean {
  hashKey(key);
  return dict instanceof PyDict ? dict.has(key) : dictGet(dict, key) !== undefined;
}
