import type { Value } from '@unroll/engine';

/** What a function returned and a record cannot hold; the message continues "node 'x' …". */
export class UnprintableValue extends Error {}

/** Objects that are handed on as they are. */
type IsKept = (value: object) => boolean;

/**
 * What a function returned, as a value that can be recorded: a copy, dates as ISO text, `toJSON` honoured, undefined as
 * null (in a mapping: left out).
 *
 * @throws UnprintableValue naming the path of what cannot be recorded
 */
export function toValue(returned: unknown, isKept: IsKept = () => false): Value {
  return convert(returned, '', [], isKept);
}

/** `__proto__` is a key like any other in JSON. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function convert(value: unknown, path: string, above: readonly object[], isKept: IsKept): Value {
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

function convertObject(value: object, path: string, above: readonly object[], isKept: IsKept): Value {
  if (isKept(value)) return value as unknown as Value;
  if (above.includes(value))
    throw new UnprintableValue(`returned an object that holds itself, at ${path || 'the top'}`);
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((item, index) => convert(item, `${path}[${index}]`, inside, isKept));
  refuse(value, path);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON !== 'function') return convertMapping(value, path, inside, isKept);
  return convert(toJSON.call(value), path, inside, isKept);
}

function convertMapping(value: object, path: string, above: readonly object[], isKept: IsKept): Value {
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) setOwn(copy, key, convert(item, `${path}.${key}`, above, isKept));
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

function unprintable(what: string, path: string): UnprintableValue {
  const place = path === '' ? '' : ` at ${path.replace(/^\./, '')}`;
  return new UnprintableValue(`returned ${what}${place}, which a record cannot hold`);
}
