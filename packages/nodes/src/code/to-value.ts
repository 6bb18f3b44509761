import { types } from 'node:util';
import type { JsonValue } from '@unroll/engine';
import { depthMessage, MAX_DEPTH } from '@unroll/engine/depth';

/** What a function returned and a record cannot hold; the message continues "node 'x' …". */
export class UnprintableValue extends Error {
  readonly #isOurs = true;

  /** Asks nothing of what was thrown, which may be anything. */
  static is(thrown: unknown): thrown is UnprintableValue {
    return typeof thrown === 'object' && thrown !== null && #isOurs in thrown;
  }
}

/** Objects that are handed on as they are. */
type IsKept = (value: object) => boolean;

/**
 * What a function returned, as a value that can be recorded: a copy, dates as ISO text, `toJSON` honoured, undefined as
 * null (in a mapping: left out).
 *
 * @throws UnprintableValue naming the path of what cannot be recorded
 */
export function toValue(returned: unknown, isKept: IsKept = () => false): JsonValue {
  return convert(returned, '', [], isKept);
}

/** `__proto__` is a key like any other in JSON. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function convert(value: unknown, path: string, above: readonly object[], isKept: IsKept): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
      return value;
    case 'undefined':
      return null;
    case 'object':
      return value === null ? null : convertObject(value, path, above, isKept);
    default:
      throw unprintable(`a ${typeof value}`, path);
  }
}

function convertObject(value: object, path: string, above: readonly object[], isKept: IsKept): JsonValue {
  if (isKept(value)) return value as unknown as JsonValue;
  if (above.includes(value))
    throw new UnprintableValue(`returned an object that holds itself, at ${path || 'the top'}`);
  if (above.length === MAX_DEPTH) throw new UnprintableValue(`returned a value ${depthMessage()}, at ${start(path)}`);
  if (types.isBoxedPrimitive(value)) return convert(value.valueOf(), path, above, isKept);
  const inside = [...above, value];
  // A place of a list that was never filled is nothing, as in JSON: `map` would leave it out.
  if (Array.isArray(value)) return Array.from(value, (item, at) => convert(item, `${path}[${at}]`, inside, isKept));
  refuse(value, path);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON !== 'function') {
    if (hidesWhatItHolds(value)) throw unprintable(ofHiding(value), path);
    return convertMapping(value, path, inside, isKept);
  }
  return convert(toJSON.call(value), path, inside, isKept);
}

function convertMapping(value: object, path: string, above: readonly object[], isKept: IsKept): JsonValue {
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setOwn(copy, key, convert(item, `${path}.${key}`, above, isKept));
  }
  return copy as JsonValue;
}

function refuse(value: object, path: string): void {
  for (const [kind, name] of unsupported) if (value instanceof kind) throw unprintable(name, path);
  if (value instanceof Promise) throw unprintable('a promise (await it)', path);
  if (ArrayBuffer.isView(value) && !('toJSON' in value)) throw unprintable(ofBytes(value), path);
  if (!isIterator(value)) return;
  const all = Symbol.iterator in value ? '[...iterator]' : 'await Array.fromAsync(iterator)';
  throw unprintable(`an iterator (return ${all})`, path);
}

function ofBytes(view: ArrayBufferView): string {
  return view instanceof DataView ? 'a DataView' : `a ${view.constructor.name} (return [...array])`;
}

/** An object of a class that keeps all in private, such as a `Response` of `fetch`: it would be recorded as an empty one. */
function hidesWhatItHolds(value: object): boolean {
  if (Object.keys(value).length > 0) return false;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return false;
  if (Symbol.toStringTag in value) return true;
  return Object.values(Object.getOwnPropertyDescriptors(prototype)).some(({ get }) => get !== undefined);
}

function ofHiding(value: object): string {
  // A server may put a class of its own in the place of `Response`, which says by its tag what it is.
  const { [Symbol.toStringTag]: tag } = value as { readonly [Symbol.toStringTag]?: unknown };
  const name = typeof tag === 'string' ? tag : String(value.constructor?.name ?? 'object');
  const way = (Object.hasOwn(hiding, name) ? hiding[name] : undefined) ?? 'return what you need of it';
  return `a ${name}, which shows nothing of what it holds (${way})`;
}

const hiding: Readonly<Record<string, string>> = {
  Response: 'return await response.json(), or .text()',
  Request: 'return await request.json(), or .text()',
  Blob: 'return await blob.text()',
  Headers: 'return Object.fromEntries(headers)',
  FormData: 'return Object.fromEntries(data)',
  URLSearchParams: 'return Object.fromEntries(parameters)',
};

/** It has nothing of its own to record. */
function isIterator(value: object): boolean {
  return (Symbol.iterator in value || Symbol.asyncIterator in value) && 'next' in value;
}

/** Of a long path, with the note by which the redactor knows that a key may have been halved (`cutText`). */
function start(path: string): string {
  const plain = path.replace(/^\./, '');
  return plain.length > 60 ? `${plain.slice(0, 60)}… (${plain.length} characters)` : plain;
}

const unsupported: readonly (readonly [new (...given: never[]) => object, string])[] = [
  [Map, 'a Map (return Object.fromEntries(map))'],
  [Set, 'a Set (return [...set])'],
  [WeakMap, 'a WeakMap'],
  [WeakSet, 'a WeakSet'],
  [RegExp, 'a RegExp'],
  [ArrayBuffer, 'an ArrayBuffer (return [...new Uint8Array(buffer)])'],
  [SharedArrayBuffer, 'a SharedArrayBuffer'],
  [Error, 'an Error (throw it, or return its message)'],
];

function unprintable(what: string, path: string): UnprintableValue {
  const place = path === '' ? '' : ` at ${path.replace(/^\./, '')}`;
  return new UnprintableValue(`returned ${what}${place}, which a record cannot hold`);
}
