import { Float } from '../value/float.ts';
import { pythonRepr as scalarRepr } from '../value/python-text.ts';
import {
  DictView,
  dictGet,
  dictPairs,
  hashKey,
  isDict,
  Markup,
  Namespace,
  NewlineList,
  PyDict,
  PyFunction,
  PyIterator,
  PyObject,
  PyRange,
  SliceBounds,
  Tuple,
  typeName,
  Undefined,
} from './python-types.ts';
import { raise } from './template-error.ts';

/** Marks the method that gives an object of another module its text in a template. */
export const textMethod = Symbol.for('unroll.text');

/** Python's `str(value)`. @throws PythonError when the text would hold a memory address or the value is undefined and strict */
export function pythonStr(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : scalarRepr(value);
    case 'boolean':
      return value ? 'True' : 'False';
    case 'object':
      return objectStr(value);
    default:
      return pythonRepr(value);
  }
}

function objectStr(value: object | null): string {
  if (value instanceof Undefined) return value.strict ? value.fail() : '';
  if (value instanceof NewlineList) return value.map(pythonStr).join('\n');
  if (value instanceof Markup) return value.text;
  return pythonRepr(value);
}

/** Python's `repr(value)`. */
export function pythonRepr(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof Float) return scalarRepr(value);
  return containerRepr(value, new Set());
}

/** Python's `ascii(value)`. */
export function pythonAscii(value: unknown): string {
  return pythonRepr(value).replace(/[^\0-\x7f]/gu, (one) => {
    const code = one.codePointAt(0) ?? 0;
    if (code < 0x100) return `\\x${code.toString(16)}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
}

function containerRepr(value: unknown, open: Set<object>): string {
  if (typeof value !== 'object' || value === null || value instanceof Float) return scalarRepr(value);
  if (open.has(value)) return Array.isArray(value) ? '[...]' : '{...}';
  open.add(value);
  const text = reprOf(value, (item) => containerRepr(item, open));
  open.delete(value);
  return text;
}

function reprOf(value: object, repr: (item: unknown) => string): string {
  if (value instanceof Tuple) return `(${value.map(repr).join(', ')}${value.length === 1 ? ',' : ''})`;
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  if (isDict(value)) return dictRepr(value, repr);
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof PyRange) {
    const step = value.step === 1 ? '' : `, ${value.step}`;
    return `range(${value.start}, ${value.stop}${step})`;
  }
  if (value instanceof DictView) return `dict_${value.kind}([${value.list().map(repr).join(', ')}])`;
  if (value instanceof Namespace) return `<Namespace ${dictRepr(value.attributes, repr)}>`;
  if (value instanceof Markup) return `Markup(${scalarRepr(value.text)})`;
  if (value instanceof SliceBounds) return `slice(${[value.start, value.stop, value.step].map(repr).join(', ')})`;
  if (value instanceof PyFunction && value.repr !== null) return value.repr;
  if (value instanceof PyObject && value.repr !== null) return value.repr();
  const own = (value as Record<symbol, unknown>)[textMethod];
  if (typeof own === 'function') return String(own.call(value));
  if (value instanceof PyFunction || value instanceof PyIterator || value instanceof PyObject)
    return raise(
      'NotSupportedError',
      `a '${typeName(value)}' object prints as a memory address; use its items or call it`,
    );
  return String(value);
}

function dictRepr(dict: object, repr: (item: unknown) => string): string {
  return `{${dictPairs(dict)
    .map(([key, member]) => `${repr(key)}: ${repr(member)}`)
    .join(', ')}}`;
}

/** Python's `bool(value)`. */
export function truth(value: unknown): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'bigint':
      return value !== 0n;
    case 'object':
      return value !== null && objectTruth(value);
    default:
      return false;
  }
}

function objectTruth(value: object): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Undefined) return value.strict ? value.fail() : false;
  if (value instanceof Float) return value.valueOf() !== 0;
  if (value instanceof Markup) return value.text !== '';
  if (value instanceof PyRange) return value.length > 0;
  if (value instanceof DictView) return dictPairs(value.dict).length > 0;
  return isDict(value) ? dictPairs(value).length > 0 : true;
}

/** Whether a value is an int of Python (a bool is one). */
export function isInt(value: unknown): value is number | bigint | boolean {
  return typeof value === 'number' ? Number.isInteger(value) : typeof value === 'bigint' || typeof value === 'boolean';
}

export function isFloat(value: unknown): value is number | Float {
  return value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
}

export function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value instanceof Float;
}

export function isText(value: unknown): value is string | Markup {
  return typeof value === 'string' || value instanceof Markup;
}

/** The JavaScript number or bigint of a Python number. */
export function numeric(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'boolean' ? Number(value) : Number((value as Float).valueOf());
}

/** A small int as a JavaScript number; TypeError of Python for anything else. */
export function index(value: unknown, message?: string): number {
  if (value instanceof Undefined) return value.fail();
  if (!isInt(value))
    return raise('TypeError', message ?? `'${typeName(value)}' object cannot be interpreted as an integer`);
  return Number(value);
}

export function asFloat(value: number): number | Float {
  return Number.isInteger(value) ? new Float(value) : value;
}

export function asInt(value: number | bigint): number | bigint {
  if (typeof value === 'number') return value;
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

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
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a instanceof Tuple !== b instanceof Tuple || a.length !== b.length) return false;
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
  if (Array.isArray(left) && Array.isArray(right) && left instanceof Tuple === right instanceof Tuple) {
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
  if (left === right) return 0;
  if (!/[\ud800-\udfff]/.test(left + right)) return left < right ? -1 : 1;
  const a = [...left];
  const b = [...right];
  for (let at = 0; at < a.length && at < b.length; at++) {
    const order = (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const surrogate = /[\ud800-\udfff]/;

/** The characters (code points) of a text. */
export function characters(text: string): readonly string[] {
  return surrogate.test(text) ? [...text] : text.split('');
}

export function textLength(text: string): number {
  return surrogate.test(text) ? [...text].length : text.length;
}

/** What Python iterates over. A list may change while it is read, as in Python. */
export function iterate(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return characters(value);
  if (value instanceof Markup) return characters(value.text);
  if (value instanceof PyIterator) return value;
  if (value instanceof PyRange || value instanceof DictView) return value.list();
  if (value instanceof Undefined) return value.strict ? value.fail() : [];
  if (isDict(value)) return dictPairs(value).map(([key]) => key);
  if (value instanceof PyObject) {
    const items = value.attribute('__iter__');
    if (items instanceof PyIterator) return items;
  }
  return raise('TypeError', `'${typeName(value)}' object is not iterable`);
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? Array.from(value) : [...iterate(value)];
}

/** Python's `len(value)`. */
export function length(value: unknown): number {
  if (typeof value === 'string') return textLength(value);
  if (Array.isArray(value)) return value.length;
  if (value instanceof Markup) return textLength(value.text);
  if (value instanceof Undefined) return value.strict ? value.fail() : 0;
  if (value instanceof PyRange) return value.length;
  if (value instanceof DictView) return dictPairs(value.dict).length;
  if (isDict(value)) return dictPairs(value).length;
  if (value instanceof PyObject && value.typeName === 'LoopContext') return Number(value.attribute('length'));
  return raise('TypeError', `object of type '${typeName(value)}' has no len()`);
}

/** Python's `item in container`. */
export function contains(container: unknown, item: unknown): boolean {
  if (isText(container)) {
    if (!isText(item))
      return raise('TypeError', `'in <string>' requires string as left operand, not ${typeName(item)}`);
    return pythonStr(container).includes(pythonStr(item));
  }
  if (isDict(container)) return hasKey(container, item);
  if (container instanceof DictView && container.kind === 'keys') return hasKey(container.dict, item);
  if (!isIterable(container)) return raise('TypeError', `argument of type '${typeName(container)}' is not iterable`);
  for (const member of iterate(container)) if (member === item || equals(member, item)) return true;
  return false;
}

function hasKey(dict: object, key: unknown): boolean {
  hashKey(key);
  return dict instanceof PyDict ? dict.has(key) : dictGet(dict, key) !== undefined;
}

export function isIterable(value: unknown): boolean {
  if (value instanceof Undefined) return !value.strict || value.fail();
  return (
    isText(value) ||
    Array.isArray(value) ||
    isDict(value) ||
    value instanceof PyIterator ||
    value instanceof PyRange ||
    value instanceof DictView ||
    (value instanceof PyObject && value.typeName === 'LoopContext')
  );
}

interface SlicePlaces {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** Python's `slice.indices(size)`. */
export function slicePlaces(bounds: SliceBounds, size: number): SlicePlaces {
  const message = 'slice indices must be integers or None or have an __index__ method';
  const step = bounds.step === null ? 1 : index(bounds.step, message);
  if (step === 0) return raise('ValueError', 'slice step cannot be zero');
  const clamp = (value: unknown, fallback: number): number => {
    if (value === null) return fallback;
    const given = index(value, message);
    const at = given < 0 ? given + size : given;
    return step > 0 ? Math.min(Math.max(at, 0), size) : Math.min(Math.max(at, -1), size - 1);
  };
  const start = clamp(bounds.start, step > 0 ? 0 : size - 1);
  return { start, stop: clamp(bounds.stop, step > 0 ? size : -1), step };
}

/** The indexes a Python slice takes of `size` items. */
export function sliceIndexes(bounds: SliceBounds, size: number): number[] {
  const { start, stop, step } = slicePlaces(bounds, size);
  const indexes: number[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) indexes.push(at);
  return indexes;
}
