import { Float } from '../value/float.ts';
import { cannotBeTold, DescribedObject } from './described.ts';
import { PyRange } from './python-range.ts';
import { DictView, dictPairs, isDict, Markup, PyIterator, PyObject, plainOf, Undefined } from './python-types.ts';
import { spendMembers } from './render-budget.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

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
  if (value instanceof DescribedObject) return toldTruth(value);
  if (value instanceof PyObject && value.plain !== undefined) return truth(value.plain);
  return isDict(value) ? dictPairs(value).length > 0 : true;
}

function toldTruth({ told: { truth: told } }: DescribedObject): boolean {
  return typeof told === 'boolean' ? told : raise(told.type, told.message);
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
export function index(given: unknown, message?: string): number {
  const value = plainOf(given);
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

const surrogate = /[\ud800-\udfff]/;

/** The characters (code points) of a text. */
export function characters(text: string): readonly string[] {
  spendMembers(text.length);
  return surrogate.test(text) ? [...text] : text.split('');
}

export function textLength(text: string): number {
  return surrogate.test(text) ? [...text].length : text.length;
}

/** What Python iterates over. A list may change while it is read, as in Python. */
export function iterate(value: unknown): Iterable<unknown> {
  if (Array.isArray(value)) {
    spendMembers(value.length);
    return value;
  }
  const text = plainOf(value);
  if (typeof text === 'string') return characters(text);
  if (value instanceof Markup) return characters(value.text);
  if (value instanceof PyIterator) return value;
  if (value instanceof PyRange || value instanceof DictView) return value.list();
  if (value instanceof Undefined) return value.strict ? value.fail() : [];
  if (isDict(value)) return dictPairs(value).map(([key]) => key);
  if (value instanceof PyObject) {
    const items = value.attribute('__iter__');
    if (items instanceof PyIterator) return items;
    if (value instanceof DescribedObject && isIterable(value)) return cannotBeTold(value.told, '__iter__');
  }
  return raise('TypeError', `'${typeName(value)}' object is not iterable`);
}

export function toList(value: unknown): unknown[] {
  return [...iterate(value)];
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
  if (value instanceof DescribedObject && value.items !== null) return value.items.length;
  if (value instanceof PyObject && typeof value.plain === 'string') return textLength(value.plain);
  if (value instanceof PyObject && value.typeName === 'LoopContext') return Number(value.attribute('length'));
  return raise('TypeError', `object of type '${typeName(value)}' has no len()`);
}

export function isIterable(value: unknown): boolean {
  if (value instanceof Undefined) return !value.strict || value.fail();
  return (
    isText(plainOf(value)) ||
    Array.isArray(value) ||
    isDict(value) ||
    value instanceof PyIterator ||
    value instanceof PyRange ||
    value instanceof DictView ||
    (value instanceof DescribedObject && value.told.tests.includes('iterable')) ||
    (value instanceof PyObject && value.typeName === 'LoopContext')
  );
}
