import { PyRange } from './python-range.ts';
import { pythonStr } from './python-text.ts';
import { DictView, dictGet, dictPairs, hashKey, isDict, Markup, PyDict, Tuple, Undefined } from './python-types.ts';
import { characters, isIterable, isNumber, isText, iterate, numeric } from './python-values.ts';
import { spend, spendCharacters, spendMembers, spendOn } from './render-budget.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

/** Python's `==`. */
export function equals(left: unknown, right: unknown): boolean {
  if (left === right && typeof left !== 'object') return true;
  const a = left instanceof Markup ? left.text : left;
  const b = right instanceof Markup ? right.text : right;
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
export function compareOrder(left: unknown, right: unknown, operator: string): number {
  if (left instanceof Undefined) return left.fail();
  if (right instanceof Undefined) return right.fail();
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
  return raise(
    'TypeError',
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  );
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
export function contains(container: unknown, item: unknown): boolean {
  if (isText(container)) {
    if (!isText(item))
      return raise('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`);
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
