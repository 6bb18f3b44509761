import { Float, Image, type Value, type Values } from '@unroll/engine';
import { PythonHandle } from '../python/python-handle.ts';

/** What a function returned and a record cannot hold; the message continues "node 'x' …". */
export class UnprintableValue extends Error {}

/** The inputs as user code gets them: a copy that is its own, floats as plain numbers. */
export function copyInputs(inputs: Values): Record<string, unknown> {
  return copyMapping(inputs);
}

/**
 * What a function returned, as a value that can be recorded: a copy, dates as ISO text, `toJSON` honoured, undefined as
 * null (in a mapping: left out).
 *
 * @throws UnprintableValue naming the path of what cannot be recorded
 */
export function toValue(returned: unknown): Value {
  return convert(returned, '', []);
}

function copyPlain(value: Value): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float) return value.valueOf();
  if (Array.isArray(value)) return value.map(copyPlain);
  return isPlainObject(value) ? copyMapping(value as Values) : value;
}

function copyMapping(mapping: Values): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(mapping)) setOwn(copy, key, copyPlain(mapping[key] as Value));
  return copy;
}

/** `__proto__` is a key like any other in JSON. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function convert(value: unknown, path: string, above: readonly object[]): Value {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
      return value;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : convertObject(value, path, above);
    default:
      throw unprintable(`a ${typeof value}`, path);
  }
}

function convertObject(value: object, path: string, above: readonly object[]): Value {
  if (value instanceof Float) return value;
  if (above.includes(value))
    throw new UnprintableValue(`returned an object that holds itself, at ${path || 'the top'}`);
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((item, index) => convert(item, `${path}[${index}]`, inside));
  refuse(value, path);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON !== 'function') return convertMapping(value, path, inside);
  return isOpaque(value) ? (value as unknown as Value) : convert(toJSON.call(value), path, inside);
}

function convertMapping(value: object, path: string, above: readonly object[]): Value {
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setOwn(copy, key, convert(item, `${path}.${key}`, above));
  }
  return copy as Value;
}

function refuse(value: object, path: string): void {
  for (const [kind, name] of refused) if (value instanceof kind) throw unprintable(name, path);
  if (value instanceof Promise) throw unprintable('a promise (await it)', path);
}

const refused: readonly (readonly [new (...given: never[]) => object, string])[] = [
  [Map, 'a Map (return Object.fromEntries(map))'],
  [Set, 'a Set (return [...set])'],
  [WeakMap, 'a WeakMap'],
  [WeakSet, 'a WeakSet'],
  [RegExp, 'a RegExp'],
  [Error, 'an Error (throw it, or return its message)'],
];

/** A Python object on its way from one Python node to another through this one. */
function isOpaque(value: object): boolean {
  return value instanceof PythonHandle || value instanceof Image;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function unprintable(what: string, path: string): UnprintableValue {
  const place = path === '' ? '' : ` at ${path.replace(/^\./, '')}`;
  return new UnprintableValue(`returned ${what}${place}, which a record cannot hold`);
}
