import { Float } from '../value/float.ts';
import { pythonRepr as scalarRepr } from '../value/python-text.ts';
import { DescribedDict, DescribedObject, DescribedScalar, DescribedTuple } from './described.ts';
import { PyRange } from './python-range.ts';
import {
  DictView,
  dictPairs,
  isDict,
  Markup,
  Namespace,
  NewlineList,
  PyFunction,
  PyIterator,
  PyObject,
  SliceBounds,
  Tuple,
  Undefined,
} from './python-types.ts';
import { spend, spendOn } from './render-budget.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

/** Marks the method that gives an object of another module its text in a template. */
const textMethod = Symbol.for('unroll.text');

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
  return textOf(value)?.str ?? pythonRepr(value);
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
  if (typeof value !== 'object' || value === null || value instanceof Float) {
    spendOn(value);
    return scalarRepr(value);
  }
  spend();
  if (open.has(value)) return Array.isArray(value) ? '[...]' : '{...}';
  open.add(value);
  const text = reprOf(value, (item) => containerRepr(item, open));
  open.delete(value);
  return text;
}

/** In the words of the program that an object comes from. */
function textOf(value: object | null): { readonly repr: string; readonly str: string } | undefined {
  const isOfProgram =
    value instanceof DescribedObject ||
    value instanceof DescribedScalar ||
    value instanceof DescribedDict ||
    value instanceof DescribedTuple;
  return isOfProgram ? value.told : undefined;
}

function reprOf(value: object, repr: (item: unknown) => string): string {
  const told = textOf(value);
  if (told !== undefined) return told.repr;
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
