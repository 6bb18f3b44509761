import type { Float } from '../value/float.ts';
import { compareTexts, equals, getKey, hasKey, iterate, order } from './operators.ts';
import {
  Callable,
  Captured,
  Dict,
  DictView,
  dictPairs,
  isDict,
  isFloat,
  isInteger,
  Namespace,
  reprOf,
  Tuple,
  textOf,
  typeName,
} from './python-values.ts';
import { fail } from './template-error.ts';
import { formatBraces, listOf } from './text-format.ts';

type Method<Self> = (self: Self, positional: readonly unknown[], named: ReadonlyMap<string, unknown>) => unknown;

/** The method `name` of a value, bound to it; undefined where the type has none. */
export function methodOf(value: unknown, name: string): Callable | undefined {
  const self = value instanceof Captured ? value.plain : value;
  const table = tableOf(self);
  const method =
    table !== undefined && Object.hasOwn(table, name)
      ? ((table as Readonly<Record<string, unknown>>)[name] as Method<unknown>)
      : undefined;
  if (method === undefined) return undefined;
  return new Callable(
    name,
    (positional, named) => method(self, positional, named),
    `<built-in method ${name} of ${typeName(self)} object at 0x7f0000000000>`,
  );
}

function tableOf(value: unknown): object | undefined {
  if (typeof value === 'string') return textMethods;
  if (value instanceof Tuple) return tupleMethods;
  if (Array.isArray(value)) return listMethods;
  if (isDict(value) && !(value instanceof Namespace)) return dictMethods;
  if (isFloat(value)) return floatMethods;
  return isInteger(value) ? integerMethods : undefined;
}

function integerOf(value: unknown): number {
  return isInteger(value)
    ? Number(value)
    : fail('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
}

function stringOf(value: unknown, method: string): string {
  const text = value instanceof Captured ? value.plain : value;
  return typeof text === 'string'
    ? text
    : fail('TypeError', `${method} argument 1 must be str, not ${typeName(value)}`);
}

const space = '[\\s\\x1c-\\x1f\\x85]';
const leadingSpace = new RegExp(`^${space}+`, 'u');
const trailingSpace = new RegExp(`${space}+$`, 'u');

export function stripText(text: string, characters: unknown, where: 'both' | 'left' | 'right'): string {
  if (characters === undefined || characters === null) {
    const left = where === 'right' ? text : text.replace(leadingSpace, '');
    return where === 'left' ? left : left.replace(trailingSpace, '');
  }
  const set = new Set(Array.from(stringOf(characters, 'strip')));
  const letters = Array.from(text);
  let start = 0;
  let end = letters.length;
  if (where !== 'right') while (start < end && set.has(letters[start] as string)) start += 1;
  if (where !== 'left') while (end > start && set.has(letters[end - 1] as string)) end -= 1;
  return letters.slice(start, end).join('');
}

function splitText(text: string, separator: unknown, most: unknown): string[] {
  const limit = most === undefined ? -1 : integerOf(most);
  if (separator === undefined || separator === null) return splitSpace(text, limit);
  const by = stringOf(separator, 'split');
  if (by === '') fail('ValueError', 'empty separator');
  const parts = text.split(by);
  return limit < 0 || parts.length <= limit + 1 ? parts : [...parts.slice(0, limit), parts.slice(limit).join(by)];
}

function splitSpace(text: string, limit: number): string[] {
  const words: string[] = [];
  let rest = text.replace(leadingSpace, '');
  const gap = new RegExp(`${space}+`, 'u');
  while (rest !== '') {
    const match = words.length === limit ? null : gap.exec(rest);
    if (match === null)
      return [...words, words.length === limit && limit >= 0 ? rest : rest.replace(trailingSpace, '')];
    words.push(rest.slice(0, match.index));
    rest = rest.slice(match.index + match[0].length);
  }
  return words;
}

function splitRight(text: string, separator: unknown, most: unknown): string[] {
  const limit = most === undefined ? -1 : integerOf(most);
  const by = separator === undefined || separator === null ? undefined : stringOf(separator, 'rsplit');
  const parts = splitText(text, separator, undefined);
  if (limit < 0 || parts.length <= limit + 1 || by === undefined) return parts;
  const kept = parts.length - limit;
  return [parts.slice(0, kept).join(by), ...parts.slice(kept)];
}

function titleText(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => {
    const [first = '', ...rest] = Array.from(word);
    return first.toUpperCase() + rest.join('').toLowerCase();
  });
}

function replaceText(text: string, from: unknown, to: unknown, count: unknown): string {
  const old = stringOf(from, 'replace()');
  const fresh = stringOf(to, 'replace()');
  const limit = count === undefined || count === null ? -1 : integerOf(count);
  if (limit < 0) return text.replaceAll(old, () => fresh);
  let left = limit;
  return text.replaceAll(old, (whole) => {
    left -= 1;
    return left >= 0 ? fresh : whole;
  });
}

function affixed(text: string, affix: unknown, method: 'startsWith' | 'endsWith'): boolean {
  const name = method === 'startsWith' ? 'startswith' : 'endswith';
  if (affix instanceof Tuple) return affix.some((one) => affixed(text, one, method));
  if (typeof affix !== 'string')
    return fail('TypeError', `${name} first arg must be str or a tuple of str, not ${typeName(affix)}`);
  return text[method](affix);
}

function padded(text: string, width: unknown, fill: unknown, left: (missing: number) => number): string {
  const missing = integerOf(width) - Array.from(text).length;
  if (missing <= 0) return text;
  const by = fill === undefined ? ' ' : stringOf(fill, 'ljust');
  const before = left(missing);
  return by.repeat(before) + text + by.repeat(missing - before);
}

function findText(text: string, part: unknown, from: unknown, last: boolean): number {
  const wanted = stringOf(part, 'find()');
  const start = from === undefined ? 0 : integerOf(from);
  const at = last ? text.lastIndexOf(wanted) : text.indexOf(wanted, start);
  return at < 0 ? -1 : Array.from(text.slice(0, at)).length;
}

function partition(text: string, separator: unknown, last: boolean): Tuple {
  const by = stringOf(separator, 'partition');
  const at = last ? text.lastIndexOf(by) : text.indexOf(by);
  if (at < 0) return last ? Tuple.of2('', '', text) : Tuple.of2(text, '', '');
  return Tuple.of2(text.slice(0, at), by, text.slice(at + by.length));
}

const every = (pattern: RegExp) => (text: string) => text !== '' && pattern.test(text);

const textMethods: Readonly<Record<string, Method<string>>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  casefold: (text) => text.toLowerCase().replaceAll('ß', 'ss'),
  capitalize: (text) => capitalized(text),
  title: (text) => titleText(text),
  swapcase: (text) =>
    Array.from(text, (one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join(''),
  strip: (text, [characters], named) => stripText(text, characters ?? named.get('chars'), 'both'),
  lstrip: (text, [characters]) => stripText(text, characters, 'left'),
  rstrip: (text, [characters]) => stripText(text, characters, 'right'),
  split: (text, [separator, most], named) =>
    splitText(text, separator ?? named.get('sep'), most ?? named.get('maxsplit')),
  rsplit: (text, [separator, most], named) =>
    splitRight(text, separator ?? named.get('sep'), most ?? named.get('maxsplit')),
  splitlines: (text, [keep]) => splitLines(text, keep === true),
  join: (text, [items]) => joinTexts(text, items),
  replace: (text, [from, to, count]) => replaceText(text, from, to, count),
  startswith: (text, [affix]) => affixed(text, affix, 'startsWith'),
  endswith: (text, [affix]) => affixed(text, affix, 'endsWith'),
  find: (text, [part, from]) => findText(text, part, from, false),
  rfind: (text, [part]) => findText(text, part, undefined, true),
  index: (text, [part, from]) => found(findText(text, part, from, false)),
  rindex: (text, [part]) => found(findText(text, part, undefined, true)),
  count: (text, [part]) =>
    part === '' ? Array.from(text).length + 1 : text.split(stringOf(part, 'count()')).length - 1,
  format: (text, positional, named) => formatBraces(text, positional, named),
  format_map: (text, [mapping]) => formatBraces(text, [], new Map(dictPairs(mapping as Dict) as [string, unknown][])),
  center: (text, [width, fill]) =>
    padded(text, width, fill, (missing) => Math.floor(missing / 2) + (missing & integerOf(width) & 1)),
  ljust: (text, [width, fill]) => padded(text, width, fill, () => 0),
  rjust: (text, [width, fill]) => padded(text, width, fill, (missing) => missing),
  zfill: (text, [width]) =>
    text.replace(/^[-+]?/, (sign) => sign + '0'.repeat(Math.max(0, integerOf(width) - Array.from(text).length))),
  partition: (text, [separator]) => partition(text, separator, false),
  rpartition: (text, [separator]) => partition(text, separator, true),
  removeprefix: (text, [prefix]) =>
    text.startsWith(stringOf(prefix, 'removeprefix()')) ? text.slice(String(prefix).length) : text,
  removesuffix: (text, [suffix]) =>
    suffix !== '' && text.endsWith(stringOf(suffix, 'removesuffix()')) ? text.slice(0, -String(suffix).length) : text,
  expandtabs: (text, [size]) => expandTabs(text, size === undefined ? 8 : integerOf(size)),
  isdigit: every(/^[\p{Nd}²³¹⁰-₉]+$/u),
  isdecimal: every(/^\p{Nd}+$/u),
  isnumeric: every(/^\p{N}+$/u),
  isalpha: every(/^\p{L}+$/u),
  isalnum: every(/^[\p{L}\p{N}]+$/u),
  isspace: every(new RegExp(`^${space}+$`, 'u')),
  islower: (text) => /\p{Ll}/u.test(text) && !/[\p{Lu}\p{Lt}]/u.test(text),
  isupper: (text) => /\p{Lu}/u.test(text) && !/[\p{Ll}\p{Lt}]/u.test(text),
  istitle: (text) => /\p{L}/u.test(text) && titleText(text) === text,
  isidentifier: every(/^[\p{XID_Start}_][\p{XID_Continue}]*$/u),
  isascii: (text) => Array.from(text).every((one) => (one.codePointAt(0) ?? 0) < 128),
};

export function capitalized(text: string): string {
  const [first = '', ...rest] = Array.from(text);
  return first.toUpperCase() + rest.join('').toLowerCase();
}

function splitLines(text: string, keep: boolean): string[] {
  const lines =
    text.match(/[^\r\n\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]|$)/gu) ?? [];
  const all = lines.slice(0, lines.at(-1) === '' ? -1 : undefined);
  return keep ? all : all.map((line) => line.replace(/(?:\r\n|[\r\n\v\f\x1c-\x1e\x85\u2028\u2029])$/u, ''));
}

function joinTexts(separator: string, items: unknown): string {
  if (items === undefined) return fail('TypeError', 'str.join() takes exactly one argument (0 given)');
  return [...iterate(items)]
    .map((item, index) => {
      const text = item instanceof Captured ? item.plain : item;
      return typeof text === 'string'
        ? text
        : fail('TypeError', `sequence item ${index}: expected str instance, ${typeName(item)} found`);
    })
    .join(separator);
}

function expandTabs(text: string, size: number): string {
  let column = 0;
  return Array.from(text, (one) => {
    if (one === '\t') {
      const width = size === 0 ? 0 : size - (column % size);
      column += width;
      return ' '.repeat(width);
    }
    column = one === '\n' || one === '\r' ? 0 : column + 1;
    return one;
  }).join('');
}

function found(at: number): number {
  return at < 0 ? fail('ValueError', 'substring not found') : at;
}

function indexIn(items: readonly unknown[], value: unknown, type: string): number {
  const at = items.findIndex((item) => equals(item, value));
  return at < 0
    ? fail('ValueError', type === 'list' ? `${reprOf(value)} is not in list` : 'tuple.index(x): x not in tuple')
    : at;
}

const tupleMethods: Readonly<Record<string, Method<readonly unknown[]>>> = {
  count: (items, [value]) => items.filter((item) => equals(item, value)).length,
  index: (items, [value]) => indexIn(items, value, 'tuple'),
};

const listMethods: Readonly<Record<string, Method<unknown[]>>> = {
  count: (items, [value]) => items.filter((item) => equals(item, value)).length,
  index: (items, [value]) => indexIn(items, value, 'list'),
  append: (items, positional) => {
    if (positional.length !== 1)
      fail('TypeError', `list.append() takes exactly one argument (${positional.length} given)`);
    items.push(positional[0]);
    return null;
  },
  extend: (items, [more]) => {
    items.push(...listOf(more));
    return null;
  },
  insert: (items, [at, value]) => {
    const index = integerOf(at);
    items.splice(index < 0 ? Math.max(0, items.length + index) : index, 0, value);
    return null;
  },
  pop: (items, [at]) => popItem(items, at),
  remove: (items, [value]) => {
    const at = items.findIndex((item) => equals(item, value));
    if (at < 0) fail('ValueError', 'list.remove(x): x not in list');
    items.splice(at, 1);
    return null;
  },
  reverse: (items) => {
    items.reverse();
    return null;
  },
  sort: (items, _positional, named) => {
    items.sort((left, right) => order(left, right));
    if (named.get('reverse') === true) items.reverse();
    return null;
  },
  clear: (items) => {
    items.length = 0;
    return null;
  },
  copy: (items) => [...items],
};

function popItem(items: unknown[], at: unknown): unknown {
  if (items.length === 0) return fail('IndexError', 'pop from empty list');
  const index = at === undefined ? items.length - 1 : integerOf(at) < 0 ? items.length + integerOf(at) : integerOf(at);
  if (index < 0 || index >= items.length) return fail('IndexError', 'pop index out of range');
  return items.splice(index, 1)[0];
}

type AnyDict = Dict | Record<string, unknown>;

const dictMethods: Readonly<Record<string, Method<AnyDict>>> = {
  items: (dict) =>
    new DictView(
      'dict_items',
      dictPairs(dict).map(([key, value]) => Tuple.of2(key, value)),
    ),
  keys: (dict) =>
    new DictView(
      'dict_keys',
      dictPairs(dict).map(([key]) => key),
    ),
  values: (dict) =>
    new DictView(
      'dict_values',
      dictPairs(dict).map(([, value]) => value),
    ),
  get: (dict, [key, fallback = null]) => (hasKey(dict, key) ? getKey(dict, key) : fallback),
  copy: (dict) => copyDict(dict),
  pop: (dict, positional) => popKey(dict, positional),
  setdefault: (dict, [key, fallback = null]) => {
    if (!hasKey(dict, key)) setKey(dict, key, fallback);
    return getKey(dict, key);
  },
  update: (dict, [other], named) => {
    const pairs =
      other === undefined
        ? []
        : isDict(other)
          ? dictPairs(other)
          : listOf(other).map((pair) => listOf(pair) as [unknown, unknown]);
    for (const [key, value] of [...pairs, ...named]) setKey(dict, key, value);
    return null;
  },
  clear: (dict) => {
    for (const [key] of dictPairs(dict)) deleteKey(dict, key);
    return null;
  },
};

function copyDict(dict: AnyDict): AnyDict {
  if (!(dict instanceof Dict)) return { ...dict };
  const copy = new Dict();
  for (const [key, value] of dictPairs(dict)) copy.set(key, value);
  return copy;
}

export function setKey(dict: AnyDict, key: unknown, value: unknown): void {
  if (dict instanceof Dict) dict.set(key, value);
  else dict[textOf(key)] = value;
}

function deleteKey(dict: AnyDict, key: unknown): void {
  if (dict instanceof Dict) dict.entries.delete(key);
  else delete dict[key as string];
}

function popKey(dict: AnyDict, positional: readonly unknown[]): unknown {
  const [key, fallback] = positional;
  if (!hasKey(dict, key)) return positional.length > 1 ? fallback : fail('KeyError', reprOf(key));
  const value = getKey(dict, key);
  deleteKey(dict, key);
  return value;
}

const integerMethods: Readonly<Record<string, Method<number | bigint>>> = {
  bit_length: (value) => BigInt(value).toString(2).replace('-', '').length,
  conjugate: (value) => value,
};

const floatMethods: Readonly<Record<string, Method<number | Float>>> = {
  is_integer: (value) => Number.isInteger(Number(value)),
  conjugate: (value) => value,
};

export { compareTexts };
