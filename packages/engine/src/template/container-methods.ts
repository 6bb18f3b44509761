import { Float } from '../value/float.ts';
import { bindArguments } from './bind-arguments.ts';
import { compareOrder, equals } from './python-comparison.ts';
import { pythonRepr } from './python-text.ts';
import {
  DictView,
  dictDelete,
  dictGet,
  dictPairs,
  dictSet,
  hashKey,
  isDict,
  type Keywords,
  PyDict,
  tuple,
} from './python-types.ts';
import { index, iterate, toList, truth } from './python-values.ts';
import type { Method } from './string-methods.ts';
import { raise } from './template-error.ts';

function bind<Self>(
  name: string,
  parameters: readonly string[],
  required: number,
  body: (self: Self, values: readonly unknown[]) => unknown,
): Method<Self> {
  return (self, args, keywords) => body(self, bindArguments(name, parameters, required, args, keywords));
}

/** Python's stable `sorted` by keys that are already there. */
export function sortBy(items: unknown[], keys: readonly unknown[], reverse: boolean): unknown[] {
  const order = items.map((_, at) => at);
  order.sort((a, b) => {
    const compared = compareOrder(keys[a], keys[b], '<');
    const sign = Number.isNaN(compared) ? 0 : compared;
    return reverse ? -sign : sign;
  });
  return order.map((at) => items[at]);
}

function indexOf(self: unknown[], item: unknown, start: unknown, kind: string): number {
  const from = start === undefined ? 0 : index(start);
  const at = self.findIndex((member, place) => place >= from && equals(member, item));
  if (at < 0)
    raise('ValueError', kind === 'list' ? `${pythonRepr(item)} is not in list` : 'tuple.index(x): x not in tuple');
  return at;
}

/** The methods of Python's `tuple`. */
export const tupleMethods: Readonly<Record<string, Method<unknown[]>>> = {
  count: bind('count', ['value'], 1, (self, [value]) => self.filter((item) => equals(item, value)).length),
  index: bind('index', ['value', 'start'], 1, (self, [value, start]) => indexOf(self, value, start, 'tuple')),
};

/** The methods of Python's `list`. */
export const listMethods: Readonly<Record<string, Method<unknown[]>>> = {
  count: bind('count', ['value'], 1, (self, [value]) => self.filter((item) => equals(item, value)).length),
  index: bind('index', ['value', 'start'], 1, (self, [value, start]) => indexOf(self, value, start, 'list')),
  append: bind('list.append', ['object'], 1, (self, [item]) => {
    self.push(item);
    return null;
  }),
  extend: bind('list.extend', ['iterable'], 1, (self, [items]) => {
    for (const item of toList(items)) self.push(item);
    return null;
  }),
  insert: bind('insert', ['index', 'object'], 2, (self, [at, item]) => {
    const given = index(at);
    self.splice(given < 0 ? Math.max(0, given + self.length) : given, 0, item);
    return null;
  }),
  pop: bind('pop', ['index'], 0, (self, [at]) => {
    if (self.length === 0) return raise('IndexError', 'pop from empty list');
    const given = at === undefined ? -1 : index(at);
    const place = given < 0 ? given + self.length : given;
    if (place < 0 || place >= self.length) return raise('IndexError', 'pop index out of range');
    return self.splice(place, 1)[0];
  }),
  remove: bind('remove', ['value'], 1, (self, [value]) => {
    const at = self.findIndex((member) => equals(member, value));
    if (at < 0) return raise('ValueError', 'list.remove(x): x not in list');
    self.splice(at, 1);
    return null;
  }),
  clear: bind('clear', [], 0, (self) => {
    self.length = 0;
    return null;
  }),
  copy: bind('copy', [], 0, (self) => Array.from(self)),
  reverse: bind('reverse', [], 0, (self) => {
    self.reverse();
    return null;
  }),
  sort: bind('sort', ['key', 'reverse'], 0, (self, [key, reverse]) => {
    if (key !== undefined && key !== null) return raise('NotSupportedError', 'list.sort with a key');
    for (const [at, item] of sortBy(self, [...self], truth(reverse)).entries()) self[at] = item;
    return null;
  }),
};

function update(self: object, args: readonly unknown[], keywords: Keywords): void {
  const [given] = args;
  if (given !== undefined) {
    for (const [key, value] of pairsOf(given)) dictSet(self, key, value);
  }
  for (const [key, value] of Object.entries(keywords)) dictSet(self, key, value);
}

/** The pairs `dict(value)` reads: those of a mapping, or of a list of pairs. */
export function pairsOf(value: unknown): [unknown, unknown][] {
  if (isDict(value)) return dictPairs(value);
  const pairs: [unknown, unknown][] = [];
  for (const item of iterate(value)) {
    if (typeof item === 'number' || typeof item === 'boolean' || item === null)
      raise('TypeError', `cannot convert dictionary update sequence element #${pairs.length} to a sequence`);
    const pair = toList(item);
    if (pair.length !== 2)
      raise(
        'ValueError',
        `dictionary update sequence element #${pairs.length} has length ${pair.length}; 2 is required`,
      );
    pairs.push([pair[0], pair[1]]);
  }
  return pairs;
}

/** The methods of Python's `dict`. */
export const dictMethods: Readonly<Record<string, Method<object>>> = {
  get: bind('get', ['key', 'default'], 1, (self, [key, fallback]) => dictGet(self, key) ?? fallback ?? null),
  items: bind('dict.items', [], 0, (self) => new DictView('items', self)),
  keys: bind('dict.keys', [], 0, (self) => new DictView('keys', self)),
  values: bind('dict.values', [], 0, (self) => new DictView('values', self)),
  update: (self, args, keywords) => {
    update(self, args, keywords);
    return null;
  },
  pop: bind('pop', ['key', 'default'], 1, (self, [key, fallback]) => {
    const value = dictGet(self, key);
    if (value === undefined) return fallback === undefined ? raise('KeyError', pythonRepr(key)) : fallback;
    dictDelete(self, key);
    return value;
  }),
  popitem: bind('popitem', [], 0, (self) => {
    const last = dictPairs(self).at(-1);
    if (last === undefined) return raise('KeyError', "'popitem(): dictionary is empty'");
    dictDelete(self, last[0]);
    return tuple(last);
  }),
  setdefault: bind('setdefault', ['key', 'default'], 1, (self, [key, fallback]) => {
    hashKey(key);
    const value = dictGet(self, key);
    if (value !== undefined) return value;
    dictSet(self, key, fallback ?? null);
    return fallback ?? null;
  }),
  copy: bind('copy', [], 0, (self) => PyDict.from(dictPairs(self))),
  clear: bind('clear', [], 0, (self) => {
    for (const [key] of dictPairs(self)) dictDelete(self, key);
    return null;
  }),
};

/** The methods of Python's `int` and `float` that a template can have a use for. */
export const intMethods: Readonly<Record<string, Method<number | bigint>>> = {
  bit_length: bind('int.bit_length', [], 0, (self) => (Number(self) === 0 ? 0 : magnitude(self).toString(2).length)),
  bit_count: bind('int.bit_count', [], 0, (self) => magnitude(self).toString(2).replaceAll('0', '').length),
  conjugate: bind('int.conjugate', [], 0, (self) => self),
};

export const floatMethods: Readonly<Record<string, Method<number>>> = {
  is_integer: bind('float.is_integer', [], 0, (self) => Number.isInteger(self)),
  conjugate: bind('float.conjugate', [], 0, (self) => (Number.isInteger(self) ? new Float(self) : self)),
};

function magnitude(value: number | bigint): bigint {
  const exact = BigInt(value);
  return exact < 0n ? -exact : exact;
}
