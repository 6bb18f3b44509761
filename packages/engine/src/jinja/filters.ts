import { Float } from '../value/float.ts';
import { attributeGetter, attributeOf } from './attributes.ts';
import { capitalized, stripText } from './methods.ts';
import {
  compareTexts,
  contains,
  equals,
  getKey,
  hasKey,
  isTrue,
  iterate,
  lengthOf,
  order,
  plain,
} from './operators.ts';
import { prettyPrint } from './pretty-print.ts';
import {
  Callable,
  dictPairs,
  Generator,
  isDict,
  isFloat,
  isInteger,
  isNumber,
  NewlineList,
  reprOf,
  Tuple,
  textOf,
  toFloat,
  typeName,
  Undefined,
} from './python-values.ts';
import type { Runtime } from './runtime.ts';
import { fail } from './template-error.ts';
import { fixedText, formatPercent, listOf } from './text-format.ts';
import { toJson } from './to-json.ts';
import { urlize } from './urlize.ts';

/** Values of a filter's or test's parameters, by position or name, `undefined` where not given. */
export type Given = readonly unknown[];
export type Filter = {
  readonly parameters: readonly string[];
  readonly run: (value: unknown, given: Given, runtime: Runtime, rest: Rest) => unknown;
};
export interface Rest {
  readonly positional: readonly unknown[];
  readonly named: ReadonlyMap<string, unknown>;
}

const filter = (parameters: readonly string[], run: Filter['run']): Filter => ({ parameters, run });
const textFilter = (run: (text: string) => unknown): Filter => filter([], (value) => run(textOf(value)));

export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['abs', filter([], (value) => absolute(value))],
  ['attr', filter(['name'], (value, [name], runtime) => runtime.attribute(value, textOf(name), true))],
  [
    'batch',
    filter(
      ['linecount', 'fill_with'],
      (value, [size, fill]) => new Generator(batches(listOf(value), integer(size), fill), 'generator object do_batch'),
    ),
  ],
  ['capitalize', textFilter(capitalized)],
  ['center', filter(['width'], (value, [width = 80]) => centered(textOf(value), integer(width)))],
  ['count', filter([], (value) => lengthOf(value))],
  ['d', filter(['default_value', 'boolean'], fallback)],
  ['default', filter(['default_value', 'boolean'], fallback)],
  ['dictsort', filter(['case_sensitive', 'by', 'reverse'], dictSorted)],
  ['e', textFilter(escapeHtml)],
  ['escape', textFilter(escapeHtml)],
  ['filesizeformat', filter(['binary'], (value, [binary]) => fileSize(Number(toNumber(value)), isTrue(binary)))],
  ['first', filter([], (value, _given, runtime) => firstOf(value, runtime))],
  ['float', filter(['default'], (value, [other = new Float(0)]) => toFloatOr(value, other))],
  ['forceescape', textFilter(escapeHtml)],
  ['format', filter([], (value, _given, _runtime, rest) => formatted(textOf(value), rest))],
  ['groupby', filter(['attribute', 'default', 'case_sensitive'], grouped)],
  [
    'indent',
    filter(['width', 'first', 'blank'], (value, [width = 4, first, blank]) =>
      indented(textOf(value), width, isTrue(first), isTrue(blank)),
    ),
  ],
  ['int', filter(['default', 'base'], (value, [other = 0, base = 10]) => toIntegerOr(value, other, integer(base)))],
  ['items', filter([], (value) => itemsOf(value))],
  ['join', filter(['d', 'attribute'], joined)],
  ['last', filter([], (value, _given, runtime) => lastOf(value, runtime))],
  ['length', filter([], (value) => lengthOf(value))],
  ['list', filter([], (value) => listOf(value))],
  ['lower', textFilter((text) => text.toLowerCase())],
  [
    'map',
    filter(
      [],
      (value, _given, runtime, rest) => new Generator(mapped(value, runtime, rest), 'generator object sync_do_map'),
    ),
  ],
  ['max', filter(['case_sensitive', 'attribute'], (value, given, runtime) => extreme(value, given, runtime, 1))],
  ['min', filter(['case_sensitive', 'attribute'], (value, given, runtime) => extreme(value, given, runtime, -1))],
  ['pprint', filter([], (value) => prettyPrint(value))],
  ['random', filter([], (value, _given, runtime) => randomOf(value, runtime))],
  ['reject', filter([], (value, _given, runtime, rest) => chosen(value, runtime, rest, false, false))],
  ['rejectattr', filter([], (value, _given, runtime, rest) => chosen(value, runtime, rest, false, true))],
  [
    'replace',
    filter(['old', 'new', 'count'], (value, [from, to, count]) =>
      replaced(textOf(value), textOf(from), textOf(to), count),
    ),
  ],
  ['reverse', filter([], (value) => reversed(value))],
  [
    'round',
    filter(['precision', 'method'], (value, [precision = 0, method = 'common']) =>
      rounded(value, integer(precision), textOf(method)),
    ),
  ],
  ['safe', filter([], (value) => textOf(value))],
  ['select', filter([], (value, _given, runtime, rest) => chosen(value, runtime, rest, true, false))],
  ['selectattr', filter([], (value, _given, runtime, rest) => chosen(value, runtime, rest, true, true))],
  [
    'slice',
    filter(
      ['slices', 'fill_with'],
      (value, [count, fill]) =>
        new Generator(slices(listOf(value), integer(count), fill), 'generator object sync_do_slice'),
    ),
  ],
  ['sort', filter(['reverse', 'case_sensitive', 'attribute'], sorted)],
  ['string', filter([], (value) => textOf(value))],
  ['striptags', textFilter(stripTags)],
  [
    'sum',
    filter(['attribute', 'start'], (value, [attribute, start = 0], runtime) =>
      summed(value, attribute, start, runtime),
    ),
  ],
  ['title', textFilter(titled)],
  [
    'tojson',
    filter(['indent'], (value, [indent]) =>
      toJson(value, indent === undefined || indent === null ? undefined : integer(indent)),
    ),
  ],
  ['trim', filter(['chars'], (value, [characters]) => stripText(textOf(value), characters, 'both'))],
  ['truncate', filter(['length', 'killwords', 'end', 'leeway'], truncated)],
  [
    'unique',
    filter(
      ['case_sensitive', 'attribute'],
      (value, given, runtime) => new Generator(uniques(value, given, runtime), 'generator object sync_do_unique'),
    ),
  ],
  ['upper', textFilter((text) => text.toUpperCase())],
  ['urlencode', filter([], (value) => urlEncoded(value))],
  [
    'urlize',
    filter(['trim_url_limit', 'nofollow', 'target', 'rel', 'extra_schemes'], (value, [limit, nofollow, target, rel]) =>
      urlize(
        textOf(value),
        limit as number | undefined,
        isTrue(nofollow),
        target as string | undefined,
        rel as string | undefined,
      ),
    ),
  ],
  ['wordcount', textFilter((text) => (text.match(/[\p{L}\p{N}_]+/gu) ?? []).length)],
  ['wordwrap', filter(['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'], wrapped)],
  ['xmlattr', filter(['autospace'], (value, [autospace = true]) => xmlAttributes(value, isTrue(autospace)))],
]);

function integer(value: unknown): number {
  return isInteger(value)
    ? Number(value)
    : fail('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
}

function toNumber(value: unknown): unknown {
  if (isNumber(value)) return value;
  if (typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))) return Number(value);
  return fail('ValueError', `could not convert string to float: ${reprOf(value)}`);
}

function absolute(value: unknown): unknown {
  if (!isNumber(value))
    return value instanceof Undefined
      ? fail(value.errorClass, value.message)
      : fail('TypeError', `bad operand type for abs(): '${typeName(value)}'`);
  if (typeof value === 'bigint') return value < 0n ? -value : value;
  return isFloat(value) ? toFloat(Math.abs(Number(value))) : Math.abs(Number(value));
}

function* batches(items: readonly unknown[], size: number, fill: unknown): Generator_ {
  for (let at = 0; at < items.length; at += size) {
    const batch = items.slice(at, at + size);
    while (batch.length < size && fill !== undefined && fill !== null) batch.push(fill);
    yield batch;
  }
}

type Generator_ = globalThis.Generator<unknown, void, unknown>;

function* slices(items: readonly unknown[], count: number, fill: unknown): Generator_ {
  const size = Math.floor(items.length / count);
  const longer = items.length % count;
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const width = size + (index < longer ? 1 : 0);
    const part = items.slice(at, at + width);
    if (fill !== undefined && fill !== null && index >= longer) part.push(fill);
    yield part;
    at += width;
  }
}

function centered(text: string, width: number): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return ' '.repeat(left) + text + ' '.repeat(missing - left);
}

function fallback(value: unknown, [other = '', whenFalse]: Given): unknown {
  return value instanceof Undefined || (isTrue(whenFalse) && !isTrue(value)) ? other : value;
}

function ignoreCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function dictSorted(value: unknown, [caseSensitive, by = 'key', reverse]: Given): unknown {
  if (by !== 'key' && by !== 'value')
    return fail('FilterArgumentError', 'You can only sort by either "key" or "value"');
  if (!isDict(value)) return fail('AttributeError', `'${typeName(value)}' object has no attribute 'items'`);
  const at = by === 'key' ? 0 : 1;
  const keyOf = (pair: readonly unknown[]): unknown => (isTrue(caseSensitive) ? pair[at] : ignoreCase(pair[at]));
  const pairs = dictPairs(value).map(([key, member]) => Tuple.of2(key, member));
  return sortStable(pairs, keyOf, isTrue(reverse));
}

function sortStable(items: readonly unknown[], keyOf: (item: never) => unknown, reverse: boolean): unknown[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item as never) }));
  keyed.sort((left, right) => (reverse ? order(right.key, left.key) : order(left.key, right.key)));
  return keyed.map(({ item }) => item);
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('>', '&gt;')
    .replaceAll('<', '&lt;')
    .replaceAll("'", '&#39;')
    .replaceAll('"', '&#34;');
}

function fileSize(bytes: number, binary: boolean): string {
  const base = binary ? 1024 : 1000;
  const units = binary
    ? ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB', 'ZiB', 'YiB']
    : ['kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'];
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const last = units.length - 1;
  const at = units.findIndex((_unit, index) => bytes < base ** (index + 2));
  const index = at < 0 ? last : at;
  return `${fixedText(bytes / base ** (index + 1), 1)} ${units[index]}`;
}

function firstOf(value: unknown, runtime: Runtime): unknown {
  for (const item of iterate(value)) return item;
  return runtime.undefined('No first item, sequence was empty.');
}

function lastOf(value: unknown, runtime: Runtime): unknown {
  if (value instanceof Generator) return fail('TypeError', "'generator' object is not reversible");
  const items = [...iterate(value)];
  return items.length === 0 ? runtime.undefined('No last item, sequence was empty.') : items.at(-1);
}

function randomOf(value: unknown, runtime: Runtime): unknown {
  const items = listOf(value);
  return items.length === 0
    ? runtime.undefined('No random item, sequence was empty.')
    : items[Math.floor(Math.random() * items.length)];
}

function toFloatOr(value: unknown, other: unknown): unknown {
  if (isNumber(value)) return toFloat(Number(value));
  const text = typeof value === 'string' ? value.trim().replaceAll(/(?<=\d)_(?=\d)/g, '') : '';
  const named = /^[+-]?(inf|infinity|nan)$/i.exec(text);
  if (named !== null) return /nan/i.test(text) ? Number.NaN : text.startsWith('-') ? -Infinity : Infinity;
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? toFloat(Number(text)) : other;
}

function toIntegerOr(value: unknown, other: unknown, base: number): unknown {
  if (typeof value === 'string') return parsedInteger(value, base) ?? truncatedFloat(toFloatOr(value, other), other);
  if (isInteger(value)) return typeof value === 'boolean' ? Number(value) : value;
  return isFloat(value) ? truncatedFloat(value, other) : other;
}

function truncatedFloat(value: unknown, other: unknown): unknown {
  if (!isFloat(value) || value === other) return other;
  const number = Number(value);
  return Number.isFinite(number) ? Math.trunc(number) + 0 : other;
}

function parsedInteger(given: string, base: number): unknown {
  const text = given.trim().replaceAll(/(?<=[\da-zA-Z])_(?=[\da-zA-Z])/g, '');
  const match = /^([+-]?)(0[xX]|0[oO]|0[bB])?([\da-zA-Z]+)$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', prefix = '', digits = ''] = match;
  const prefixes: Readonly<Record<number, string>> = { 16: '0x', 8: '0o', 2: '0b' };
  if (prefix !== '' && prefix.toLowerCase() !== prefixes[base]) return undefined;
  let total = 0n;
  for (const digit of digits.toLowerCase()) {
    const number = Number.parseInt(digit, 36);
    if (Number.isNaN(number) || number >= base) return undefined;
    total = total * BigInt(base) + BigInt(number);
  }
  const signed = sign === '-' ? -total : total;
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

function formatted(text: string, { positional, named }: Rest): string {
  if (positional.length > 0 && named.size > 0)
    fail('FilterArgumentError', "can't handle positional and keyword arguments at the same time");
  return formatPercent(text, named.size > 0 ? Object.fromEntries(named) : Tuple.of2(...positional));
}

function grouped(value: unknown, [attribute, other, caseSensitive]: Given, runtime: Runtime): unknown {
  const get = attributeGetter(attribute, runtime, other);
  const keyOf = (item: unknown): unknown => (isTrue(caseSensitive) ? get(item) : ignoreCase(get(item)));
  const groups: { key: unknown; grouper: unknown; items: unknown[] }[] = [];
  for (const item of sortStable(listOf(value), keyOf, false)) {
    const key = keyOf(item);
    const last = groups.at(-1);
    if (last !== undefined && equals(last.key, key)) last.items.push(item);
    else groups.push({ key, grouper: get(item), items: [item] });
  }
  return groups.map(({ grouper, items }) => Object.assign(Tuple.of2(grouper, items), { grouper, list: items }));
}

function indented(text: string, width: unknown, first: boolean, blank: boolean): string {
  const by = typeof width === 'string' ? width : ' '.repeat(integer(width));
  const lines = `${text}\n`.split('\n').slice(0, -1);
  const inner = lines.map((line, index) => (index === 0 || (line === '' && !blank) ? line : by + line)).join('\n');
  return first ? by + inner : inner;
}

function itemsOf(value: unknown): unknown {
  if (value instanceof Undefined) return new Generator([], 'generator object do_items');
  if (!isDict(value)) return fail('TypeError', 'Can only get item pairs from a mapping.');
  return new Generator(
    dictPairs(value).map(([key, member]) => Tuple.of2(key, member)),
    'generator object do_items',
  );
}

function joined(value: unknown, [separator = '', attribute]: Given, runtime: Runtime): string {
  const get = attribute === undefined || attribute === null ? undefined : attributeGetter(attribute, runtime);
  const texts: string[] = [];
  for (const item of iterate(value)) texts.push(textOf(get === undefined ? item : get(item)));
  return texts.join(textOf(separator));
}

function* mapped(value: unknown, runtime: Runtime, { positional, named }: Rest): Generator_ {
  if (!isTrue(value)) return;
  const [name, ...more] = positional;
  if (name === undefined) {
    const { attribute, default: other, ...unknown } = Object.fromEntries(named);
    const [extra] = Object.keys(unknown);
    if (attribute === undefined) fail('FilterArgumentError', 'map requires a filter argument');
    if (extra !== undefined) fail('FilterArgumentError', `Unexpected keyword argument '${extra}'`);
    const get = attributeGetter(attribute, runtime, other);
    for (const item of iterate(value)) yield get(item);
    return;
  }
  for (const item of iterate(value)) yield runtime.filter(textOf(name), item, { positional: more, named });
}

function extreme(value: unknown, [caseSensitive, attribute]: Given, runtime: Runtime, sign: 1 | -1): unknown {
  const get =
    attribute === undefined || attribute === null ? (item: unknown) => item : attributeGetter(attribute, runtime);
  const keyOf = (item: unknown): unknown => (isTrue(caseSensitive) ? get(item) : ignoreCase(get(item)));
  let best: { item: unknown; key: unknown } | undefined;
  for (const item of iterate(value)) {
    const key = keyOf(item);
    if (best === undefined || order(key, best.key, sign > 0 ? '>' : '<') * sign > 0) best = { item, key };
  }
  return best === undefined ? runtime.undefined('No aggregated item, sequence was empty.') : best.item;
}

function chosen(
  value: unknown,
  runtime: Runtime,
  { positional, named }: Rest,
  wanted: boolean,
  byAttribute: boolean,
): unknown {
  const name = `generator object sync_do_${wanted ? 'select' : 'reject'}${byAttribute ? 'attr' : ''}`;
  return new Generator(choose(value, runtime, { positional, named }, wanted, byAttribute), name);
}

function* choose(
  value: unknown,
  runtime: Runtime,
  { positional, named }: Rest,
  wanted: boolean,
  byAttribute: boolean,
): Generator_ {
  if (!isTrue(value)) return;
  const [attribute, ...others] = byAttribute ? positional : [undefined, ...positional];
  if (byAttribute && attribute === undefined) fail('FilterArgumentError', 'Missing parameter for attribute name');
  const get = byAttribute ? attributeGetter(attribute, runtime) : (item: unknown) => item;
  const [test, ...more] = others;
  for (const item of iterate(value)) {
    const holds =
      test === undefined
        ? isTrue(get(item))
        : isTrue(runtime.test(textOf(test), get(item), { positional: more, named }));
    if (holds === wanted) yield item;
  }
}

function replaced(text: string, from: string, to: string, count: unknown): string {
  if (count === undefined || count === null) return text.replaceAll(from, () => to);
  let left = integer(count);
  return text.replaceAll(from, (whole) => {
    left -= 1;
    return left >= 0 ? to : whole;
  });
}

function reversed(value: unknown): unknown {
  if (typeof value === 'string') return Array.from(value).reverse().join('');
  return new Generator([...iterate(value)].reverse(), 'list_reverseiterator object');
}

function rounded(value: unknown, precision: number, method: string): unknown {
  if (!['common', 'ceil', 'floor'].includes(method))
    return fail('FilterArgumentError', 'method must be common, ceil or floor');
  if (!isNumber(value)) return fail('TypeError', `type ${typeName(value)} doesn't define __round__ method`);
  const number = Number(value);
  if (method === 'common') {
    if (isInteger(value)) return precision >= 0 ? value : Number(fixedRound(number, precision));
    return toFloat(fixedRound(number, precision));
  }
  const scale = 10 ** precision;
  return toFloat((method === 'ceil' ? Math.ceil(number * scale) : Math.floor(number * scale)) / scale);
}

function fixedRound(number: number, precision: number): number {
  if (!Number.isFinite(number)) return number;
  if (precision >= 0) return Number(fixedText(number, Math.min(precision, 100)));
  const scale = 10 ** -precision;
  return Number(fixedText(number / scale, 0)) * scale;
}

function sorted(value: unknown, [reverse, caseSensitive, attribute]: Given, runtime: Runtime): unknown {
  const get = attribute === undefined || attribute === null ? undefined : sortKeys(attribute, runtime);
  const fold = (item: unknown): unknown => (isTrue(caseSensitive) ? item : ignoreCase(item));
  const keyOf = (item: unknown): unknown => (get === undefined ? fold(plain(item)) : Array.from(get(item), fold));
  return sortStable(listOf(value), keyOf, isTrue(reverse));
}

function sortKeys(attribute: unknown, runtime: Runtime): (item: unknown) => unknown[] {
  const parts = typeof attribute === 'string' ? attribute.split(',') : [attribute];
  const getters = parts.map((part) => attributeGetter(part, runtime));
  return (item) => getters.map((get) => get(item));
}

function stripTags(text: string): string {
  const bare = text.replaceAll(/<!--.*?-->/gs, '').replaceAll(/<[^>]*>/g, '');
  const decoded = bare
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&#39;|&apos;/g, "'")
    .replaceAll(/&#34;|&quot;/g, '"')
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&amp;', '&');
  return decoded
    .split(/\s+/u)
    .filter((word) => word !== '')
    .join(' ');
}

function summed(value: unknown, attribute: unknown, start: unknown, runtime: Runtime): unknown {
  const get =
    attribute === undefined || attribute === null ? (item: unknown) => item : attributeGetter(attribute, runtime);
  let total = start;
  for (const item of iterate(value)) total = runtime.add(total, get(item));
  return total;
}

function titled(text: string): string {
  return text
    .split(/([-\s({[<]+)/u)
    .filter((part) => part !== '')
    .map((part) => {
      const [first = '', ...rest] = Array.from(part);
      return first.toUpperCase() + rest.join('').toLowerCase();
    })
    .join('');
}

function truncated(value: unknown, [length = 255, killWords = false, end = '...', leewayGiven]: Given): string {
  const letters = Array.from(textOf(value));
  const tail = textOf(end);
  const most = integer(length);
  const leeway = leewayGiven === undefined || leewayGiven === null ? 5 : integer(leewayGiven);
  if (most < Array.from(tail).length)
    fail('AssertionError', `expected length >= ${Array.from(tail).length}, got ${most}`);
  if (letters.length <= most + leeway) return letters.join('');
  const kept = letters.slice(0, most - Array.from(tail).length).join('');
  if (isTrue(killWords)) return kept + tail;
  const space = kept.lastIndexOf(' ');
  return (space < 0 ? kept : kept.slice(0, space)) + tail;
}

function* uniques(value: unknown, [caseSensitive, attribute]: Given, runtime: Runtime): Generator_ {
  const get =
    attribute === undefined || attribute === null ? (item: unknown) => item : attributeGetter(attribute, runtime);
  const seen: unknown[] = [];
  for (const item of iterate(value)) {
    const key = isTrue(caseSensitive) ? get(item) : ignoreCase(get(item));
    if (contains(seen, key)) continue;
    seen.push(key);
    yield item;
  }
}

function quoteUrl(text: string, safe: RegExp): string {
  return Array.from(new TextEncoder().encode(text), (byte) => {
    const letter = String.fromCharCode(byte);
    return byte < 128 && safe.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}

function urlEncoded(value: unknown): string {
  if (typeof value === 'string' || isNumber(value) || value === null) return quoteUrl(textOf(value), /[\w.~/-]/);
  if (value instanceof Undefined) return '';
  const pairs = isDict(value) ? dictPairs(value) : listOf(value).map((pair) => listOf(pair));
  const quote = (part: unknown): string => quoteUrl(textOf(part), /[\w.~-]/).replaceAll('%20', '+');
  return pairs.map(([key, member]) => `${quote(key)}=${quote(member)}`).join('&');
}

function wrapped(value: unknown, [width = 79, breakWords = true, by, breakHyphens = true]: Given): string {
  const glue = by === undefined || by === null ? '\n' : textOf(by);
  const lines = textOf(value).split(/\r\n|\r|\n/);
  return lines
    .map((line) => wrapLine(line, integer(width), isTrue(breakWords), isTrue(breakHyphens)).join(glue))
    .join(glue);
}

function wrapLine(line: string, width: number, breakWords: boolean, breakHyphens: boolean): string[] {
  const chunks = line.match(breakHyphens ? /\s+|[^\s-]*[\p{L}\d_]-+(?=[\p{L}\d_])|[^\s-]+-*|-+/gu : /\s+|\S+/gu) ?? [];
  const lines: string[] = [];
  let current = '';
  for (const given of chunks) {
    let chunk = given;
    if (current === '' && lines.length > 0 && chunk.trim() === '') continue;
    if (
      Array.from(current + chunk).length > width &&
      current !== '' &&
      (!breakWords || Array.from(chunk).length <= width)
    ) {
      lines.push(current.trimEnd());
      current = '';
      if (chunk.trim() === '') continue;
    }
    while (breakWords && Array.from(current + chunk).length > width && Array.from(chunk).length > width) {
      const room = width - Array.from(current).length;
      lines.push(current + Array.from(chunk).slice(0, room).join(''));
      chunk = Array.from(chunk).slice(room).join('');
      current = '';
    }
    current += chunk;
  }
  if (current.trimEnd() !== '') lines.push(current.trimEnd());
  return lines;
}

function xmlAttributes(value: unknown, autospace: boolean): string {
  if (!isDict(value)) return fail('AttributeError', `'${typeName(value)}' object has no attribute 'items'`);
  const parts = dictPairs(value)
    .filter(([, member]) => member !== null && !(member instanceof Undefined))
    .map(([key, member]) => {
      if (/[\s/>=]/.test(textOf(key))) fail('ValueError', `Invalid character in attribute name: ${reprOf(key)}`);
      return `${escapeHtml(textOf(key))}="${escapeHtml(textOf(member))}"`;
    });
  const text = parts.join(' ');
  return autospace && text !== '' ? ` ${text}` : text;
}

export { attributeOf, Callable, compareTexts, getKey, hasKey, NewlineList };
