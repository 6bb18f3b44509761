import { Float } from '../value/float.ts';
import { asciiDigits } from '../value/python-text.ts';
import { GroupTuple, getAttribute, getItem } from './attributes.ts';
import { bindArguments } from './bind-arguments.ts';
import { sortBy } from './container-methods.ts';
import { escapeHtml } from './escape-html.ts';
import { fixed } from './fixed.ts';
import { formatPercent } from './format-percent.ts';
import { jsonText } from './json-text.ts';
import { prettyText } from './pretty-text.ts';
import { binary, roundNumber, signed } from './python-number.ts';
import {
  dictPairs,
  hashKey,
  isDict,
  type Keywords,
  Markup,
  PyDict,
  PyIterator,
  PyRange,
  Tuple,
  tuple,
  typeName,
  Undefined,
} from './python-types.ts';
import {
  asFloat,
  asInt,
  characters,
  compareOrder,
  equals,
  index,
  isFloat,
  isInt,
  isNumber,
  isText,
  iterate,
  length,
  numeric,
  pythonRepr,
  pythonStr,
  textLength,
  toList,
  truth,
} from './python-values.ts';
import { raise } from './template-error.ts';
import { type Test, tests } from './tests.ts';
import * as text from './text-functions.ts';
import { urlize } from './urlize.ts';
import { wrapText } from './wrap-text.ts';

/** A filter of Jinja. `strict`: whether Undefined is strict. */
export type Filter = (value: unknown, args: readonly unknown[], keywords: Keywords, strict: boolean) => unknown;

type Body = (values: readonly unknown[], strict: boolean) => unknown;

/** A filter with named parameters after its value; the first `required` of them must be given. */
function filter(name: string, parameters: readonly string[], required: number, body: Body): Filter {
  const all = ['value', ...parameters];
  return (value, args, keywords, strict) =>
    body(bindArguments(name, all, required + 1, [value, ...args], keywords), strict);
}

const plain = (name: string, body: (value: unknown, strict: boolean) => unknown): Filter =>
  filter(name, [], 0, ([value], strict) => body(value, strict));

function onText(value: unknown, change: (given: string) => string): unknown {
  return value instanceof Markup ? new Markup(change(value.text)) : change(pythonStr(value));
}

type Getter = (item: unknown) => unknown;

function attributeGetter(attribute: unknown, strict: boolean, fallback?: unknown, after?: Getter): Getter {
  const parts = attributeParts(attribute);
  return (item) => {
    let value = item;
    for (const part of parts) {
      value = getItem(value, part, strict);
      if (fallback !== undefined && fallback !== null && value instanceof Undefined) value = fallback;
    }
    return after === undefined ? value : after(value);
  };
}

function attributeParts(attribute: unknown): readonly unknown[] {
  if (attribute === undefined || attribute === null) return [];
  if (!isText(attribute)) return [attribute];
  return pythonStr(attribute)
    .split('.')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function ignoreCase(value: unknown): unknown {
  return isText(value) ? pythonStr(value).toLowerCase() : value;
}

const foldUnless = (caseSensitive: unknown): Getter | undefined => (truth(caseSensitive) ? undefined : ignoreCase);

function* mapped(value: unknown, args: readonly unknown[], keywords: Keywords, strict: boolean): Generator<unknown> {
  if (!truth(value)) return;
  const change = mapFunction(args, keywords, strict);
  for (const item of iterate(value)) yield change(item);
}

function mapFunction(args: readonly unknown[], keywords: Keywords, strict: boolean): Getter {
  if (args.length === 0 && Object.hasOwn(keywords, 'attribute')) {
    const { attribute, default: fallback, ...rest } = keywords;
    const [unexpected] = Object.keys(rest);
    if (unexpected !== undefined) raise('FilterArgumentError', `Unexpected keyword argument '${unexpected}'`);
    return attributeGetter(attribute, strict, fallback);
  }
  if (args.length === 0) return raise('FilterArgumentError', 'map requires a filter argument');
  const [name, ...rest] = args;
  const found = findFilter(pythonStr(name));
  return (item) => found(item, rest, keywords, strict);
}

function* selected(
  value: unknown,
  args: readonly unknown[],
  keywords: Keywords,
  strict: boolean,
  wanted: boolean,
  byAttribute: boolean,
): Generator<unknown> {
  if (!truth(value)) return;
  if (byAttribute && args.length === 0) raise('FilterArgumentError', 'Missing parameter for attribute name');
  const get: Getter = byAttribute ? attributeGetter(args[0], strict) : (item) => item;
  const [name, ...rest] = byAttribute ? args.slice(1) : args;
  const test = name === undefined ? truth : testFunction(pythonStr(name), rest, keywords);
  for (const item of iterate(value)) if (test(get(item)) === wanted) yield item;
}

function testFunction(name: string, args: readonly unknown[], keywords: Keywords): (value: unknown) => boolean {
  const test = findTest(name);
  return (value) => test(value, args, keywords);
}

const selecting =
  (wanted: boolean, byAttribute: boolean): Filter =>
  (value, args, keywords, strict) =>
    new PyIterator(selected(value, args, keywords, strict, wanted, byAttribute));

const extreme = (name: string, sign: 1 | -1): Filter =>
  filter(name, ['case_sensitive', 'attribute'], 0, ([value, caseSensitive, attribute], strict) => {
    const items = toList(value);
    if (items.length === 0) return new Undefined('No aggregated item, sequence was empty.', strict);
    const key = attributeGetter(attribute, strict, undefined, foldUnless(caseSensitive));
    const keys = items.map(key);
    let best = 0;
    for (let at = 1; at < items.length; at++)
      if (compareOrder(keys[at], keys[best], sign > 0 ? '>' : '<') * sign > 0) best = at;
    return items[best];
  });

function replaceFilter([value, old, replacement, count]: readonly unknown[]): unknown {
  const limit = count === undefined || count === null ? -1 : index(count);
  return text.replaceText(pythonStr(value), pythonStr(old), pythonStr(replacement), limit);
}

function titleFilter(value: unknown): unknown {
  return onText(value, (given) =>
    given
      .split(/([-\s({[<]+)/)
      .filter((part) => part !== '')
      .map((part) => {
        const [first = '', ...rest] = characters(part);
        return first.toUpperCase() + rest.join('').toLowerCase();
      })
      .join(''),
  );
}

function dictSort([value, caseSensitive, by, reverse]: readonly unknown[]): unknown {
  if (by !== undefined && by !== 'key' && by !== 'value')
    return raise('FilterArgumentError', 'You can only sort by either "key" or "value"');
  if (!isDict(value)) {
    if (value instanceof Undefined) return value.fail();
    return raise('AttributeError', `'${typeName(value)}' object has no attribute 'items'`);
  }
  const pairs = dictPairs(value).map(tuple);
  const fold = foldUnless(caseSensitive);
  const keys = pairs.map((pair) => {
    const key = pair[by === 'value' ? 1 : 0];
    return fold === undefined ? key : fold(key);
  });
  return sortBy(pairs, keys, truth(reverse));
}

function sortFilter([value, reverse, caseSensitive, attribute]: readonly unknown[], strict: boolean): unknown {
  const fold = foldUnless(caseSensitive);
  const parts = isText(attribute) ? pythonStr(attribute).split(',') : [attribute];
  const getters = parts.map((part) => attributeGetter(part, strict, undefined, fold));
  const items = toList(value);
  const keys = items.map((item) => getters.map((get) => get(item)));
  return sortBy(items, keys, truth(reverse));
}

function* unique(value: unknown, key: Getter): Generator<unknown> {
  const seen = new Set<unknown>();
  for (const item of iterate(value)) {
    const hashed = hashKey(key(item));
    if (seen.has(hashed)) continue;
    seen.add(hashed);
    yield item;
  }
}

function fileSize([value, binaryUnits]: readonly unknown[]): string {
  const bytes = floatOf(value);
  const isBinary = truth(binaryUnits);
  const base = isBinary ? 1024 : 1000;
  if (bytes === 1) return '1 Byte';
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  const letters = ['K', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y'];
  let unit = base;
  for (const [at, letter] of letters.entries()) {
    unit *= base;
    const prefix = isBinary ? `${letter}iB` : `${letter === 'K' ? 'k' : letter}B`;
    if (bytes < unit || at === letters.length - 1) return `${fixed((base * bytes) / unit, 1)} ${prefix}`;
  }
  return '';
}

/** Python's `float(value)`. */
function floatOf(value: unknown): number {
  if (value instanceof Undefined) return value.fail();
  if (isNumber(value)) return Number(numeric(value));
  if (!isText(value)) {
    const name = typeName(value);
    return raise('TypeError', `float() argument must be a string or a real number, not '${name}'`);
  }
  const given = asciiDigits(text.strip(pythonStr(value), null));
  const body = given.replace(/(?<=\d)_(?=\d)/g, '');
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(body)) return Number(body);
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(body);
  if (special === null)
    return raise('ValueError', `could not convert string to float: ${pythonRepr(pythonStr(value))}`);
  if (/nan/i.test(special[2] ?? '')) return Number.NaN;
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

function integerOf(value: unknown, base: number): number | bigint | undefined {
  if (isText(value)) {
    const body = asciiDigits(text.strip(pythonStr(value), null)).replace(/(?<=[\da-z])_(?=[\da-z])/gi, '');
    const exact = parseInteger(body, base);
    if (exact !== undefined) return exact;
  } else if (isInt(value)) return numeric(value);
  else if (value instanceof Undefined) return value.fail();
  else if (!isFloat(value)) return undefined;
  const float = isText(value) ? attemptFloat(value) : Number(numeric(value));
  if (float === undefined || !Number.isFinite(float)) {
    if (float !== undefined && !isText(value) && !Number.isNaN(float))
      return raise('OverflowError', 'cannot convert float infinity to integer');
    return undefined;
  }
  return asInt(BigInt(Math.trunc(float)));
}

function attemptFloat(value: unknown): number | undefined {
  try {
    return floatOf(value);
  } catch {
    return undefined;
  }
}

function parseInteger(body: string, base: number): number | bigint | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(body) ?? [];
  const prefix = { 2: '0b', 8: '0o', 16: '0x' }[base];
  const bare = prefix !== undefined && digits.toLowerCase().startsWith(prefix) ? digits.slice(2) : digits;
  if (bare === '') return undefined;
  let total = 0n;
  for (const digit of bare.toLowerCase()) {
    const worth = /[\da-z]/.test(digit) ? Number.parseInt(digit, 36) : Number.NaN;
    if (!(worth < base)) return undefined;
    total = total * BigInt(base) + BigInt(worth);
  }
  return asInt(sign === '-' ? -total : total);
}

function truncate([given, size, killWords, ending, leeway]: readonly unknown[]): unknown {
  const limit = size === undefined ? 255 : index(size);
  const end = ending === undefined ? '...' : pythonStr(ending);
  const slack = leeway === undefined || leeway === null ? 5 : index(leeway);
  const endLength = textLength(end);
  if (limit < endLength) raise('AssertionError', `expected length >= ${endLength}, got ${limit}`);
  if (slack < 0) raise('AssertionError', `expected leeway >= 0, got ${slack}`);
  if (length(given) <= limit + slack) return given;
  if (!isText(given)) return raise('AttributeError', `'${typeName(given)}' object has no attribute 'rsplit'`);
  const cut = characters(pythonStr(given))
    .slice(0, limit - endLength)
    .join('');
  return (truth(killWords) ? cut : (text.splitRight(cut, ' ', 1)[0] ?? '')) + end;
}

function indent([value, width, first, blank]: readonly unknown[]): unknown {
  if (value instanceof Undefined) return value.fail();
  if (!isText(value)) return raise('TypeError', `unsupported operand type(s) for +=: '${typeName(value)}' and 'str'`);
  const margin = isText(width) ? pythonStr(width) : ' '.repeat(Math.max(0, width === undefined ? 4 : index(width)));
  return onText(value, (given) => {
    const lines = text.splitLines(`${given}\n`);
    const indented = truth(blank)
      ? lines.join(`\n${margin}`)
      : lines.map((line, at) => (at > 0 && line !== '' ? margin + line : line)).join('\n');
    return truth(first) ? margin + indented : indented;
  });
}

function* slices(value: unknown, count: number, fill: unknown): Generator<unknown> {
  const items = toList(value);
  if (count === 0) raise('ZeroDivisionError', 'integer division or modulo by zero');
  const each = Math.floor(items.length / count);
  const extra = items.length % count;
  let offset = 0;
  for (let at = 0; at < count; at++) {
    const start = offset + at * each;
    if (at < extra) offset++;
    const part = items.slice(start, offset + (at + 1) * each);
    if (fill !== undefined && fill !== null && at >= extra) part.push(fill);
    yield part;
  }
}

function* batches(value: unknown, size: number, fill: unknown): Generator<unknown> {
  let part: unknown[] = [];
  for (const item of iterate(value)) {
    if (part.length === size) {
      yield part;
      part = [];
    }
    part.push(item);
  }
  if (part.length === 0) return;
  if (fill !== undefined && fill !== null) while (part.length < size) part.push(fill);
  yield part;
}

function roundFilter([value, precision, method]: readonly unknown[]): unknown {
  const digits = precision === undefined ? 0 : index(precision);
  const how = method === undefined ? 'common' : method;
  if (how !== 'common' && how !== 'ceil' && how !== 'floor')
    return raise('FilterArgumentError', 'method must be common, ceil or floor');
  if (how === 'common') return roundNumber(value, digits);
  const scale = binary('** or pow()', 10, digits);
  const scaled = numeric(binary('*', value, scale));
  const whole = typeof scaled === 'bigint' ? scaled : how === 'ceil' ? Math.ceil(scaled) : Math.floor(scaled);
  return binary('/', whole === 0 ? 0 : whole, scale);
}

function groupBy([value, attribute, fallback, caseSensitive]: readonly unknown[], strict: boolean): unknown {
  const fold = foldUnless(caseSensitive);
  const get = attributeGetter(attribute, strict, fallback, fold);
  const shown = attributeGetter(attribute, strict, fallback);
  const items = toList(value);
  const sorted = sortBy(items, items.map(get), false);
  const groups: { key: unknown; members: unknown[] }[] = [];
  for (const item of sorted) {
    const key = get(item);
    const last = groups.at(-1);
    if (last !== undefined && equals(last.key, key)) last.members.push(item);
    else groups.push({ key, members: [item] });
  }
  return groups.map(({ key, members }) => {
    const group = new GroupTuple();
    group.push(fold === undefined ? key : shown(members[0]), members);
    return group;
  });
}

function sum([value, attribute, start]: readonly unknown[], strict: boolean): unknown {
  const get = attribute === undefined || attribute === null ? undefined : attributeGetter(attribute, strict);
  let total: unknown = start === undefined ? 0 : start;
  if (isText(total)) raise('TypeError', "sum() can't sum strings [use ''.join(seq) instead]");
  for (const item of iterate(value)) total = binary('+', total, get === undefined ? item : get(item));
  return total;
}

function reverse(value: unknown): unknown {
  if (isText(value)) return onText(value, (given) => [...given].reverse().join(''));
  if (value instanceof PyIterator) return toList(value).reverse();
  if (value instanceof Undefined) return [];
  if (!Array.isArray(value) && !isDict(value) && !(value instanceof PyRange)) {
    iterable(value);
    return toList(value).reverse();
  }
  const names = Array.isArray(value) ? (value instanceof Tuple ? 'reversed' : 'list_reverseiterator') : 'reversed';
  return new PyIterator(toList(value).reverse(), names);
}

function iterable(value: unknown): void {
  try {
    iterate(value);
  } catch {
    raise('FilterArgumentError', 'argument must be iterable');
  }
}

function urlQuote(value: unknown, forQuery: boolean): string {
  const quoted = encodeURIComponent(pythonStr(value)).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return forQuery ? quoted.replaceAll('%20', '+') : quoted.replaceAll('%2F', '/');
}

function urlEncode(value: unknown): unknown {
  const isPairs = Array.isArray(value) || isDict(value) || value instanceof PyIterator;
  if (!isPairs) return urlQuote(value, false);
  const pairs = isDict(value) ? dictPairs(value) : [...iterate(value)].map(toList);
  return pairs.map(([key, member]) => `${urlQuote(key, true)}=${urlQuote(member, true)}`).join('&');
}

function xmlAttributes([value, autospace]: readonly unknown[]): unknown {
  if (!isDict(value)) {
    if (value instanceof Undefined) return value.fail();
    return raise('AttributeError', `'${typeName(value)}' object has no attribute 'items'`);
  }
  const parts: string[] = [];
  for (const [key, member] of dictPairs(value)) {
    if (member === null || member instanceof Undefined) continue;
    if (/[ \t\n\r\f\v/>=]/.test(pythonStr(key)))
      raise('ValueError', `Invalid character in attribute name: ${pythonRepr(key)}`);
    parts.push(`${escaped(key).text}="${escaped(member).text}"`);
  }
  const joined = parts.join(' ');
  return autospace !== undefined && !truth(autospace) ? joined : joined === '' ? '' : ` ${joined}`;
}

function escaped(value: unknown): Markup {
  return value instanceof Markup ? value : new Markup(escapeHtml(pythonStr(value)));
}

function stripTags(value: unknown): string {
  const bare = pythonStr(value)
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<[\s\S]*?>/g, '');
  return text.split(unescapeHtml(bare), null, -1).join(' ');
}

function unescapeHtml(given: string): string {
  const known: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
  return given.replace(/&(?:#(\d+)|#[xX]([\da-fA-F]+)|(\w+));/g, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return known[name] ?? (name === 'copy' ? '©' : raise('NotSupportedError', `striptags of the entity ${whole}`));
  });
}

function attr([value, name]: readonly unknown[], strict: boolean): unknown {
  if (!isText(name)) return raise('TypeError', `attribute name must be string, not '${typeName(name)}'`);
  if (value instanceof Undefined) return value.fail();
  const found = getAttribute(isDict(value) ? new PyDict() : value, pythonStr(name), strict);
  if (!(found instanceof Undefined) && isDict(value)) return getAttribute(value, pythonStr(name), strict);
  return found;
}

const random: Filter = () => raise('NotSupportedError', "the filter 'random' gives another text every time");

/** The filters of Jinja by name. */
export const filters: Readonly<Record<string, Filter>> = {
  abs: plain('abs', (value) => {
    if (value instanceof Undefined) return value.fail();
    if (!isNumber(value)) return raise('TypeError', `bad operand type for abs(): '${typeName(value)}'`);
    const negative = numeric(value) < 0 || Object.is(numeric(value), -0);
    return negative ? signed('-', value) : signed('+', value);
  }),
  attr: filter('do_attr', ['name'], 1, attr),
  batch: filter(
    'do_batch',
    ['linecount', 'fill_with'],
    1,
    ([value, size, fill]) => new PyIterator(batches(value, index(size), fill)),
  ),
  capitalize: plain('do_capitalize', (value) => onText(value, text.capitalize)),
  center: filter('do_center', ['width'], 0, ([value, width]) =>
    onText(value, (given) => text.center(given, width === undefined ? 80 : index(width))),
  ),
  default: filter('do_default', ['default_value', 'boolean'], 0, ([value, fallback, boolean]) =>
    value instanceof Undefined || (truth(boolean) && !truth(value)) ? (fallback === undefined ? '' : fallback) : value,
  ),
  dictsort: filter('do_dictsort', ['case_sensitive', 'by', 'reverse'], 0, dictSort),
  escape: plain('escape', escaped),
  filesizeformat: filter('do_filesizeformat', ['binary'], 0, fileSize),
  first: plain('sync_do_first', (value, strict) => {
    for (const item of iterate(value)) return item;
    return new Undefined('No first item, sequence was empty.', strict);
  }),
  float: filter('do_float', ['default'], 0, ([value, fallback]) => {
    if (value instanceof Undefined) return value.fail();
    if (!isNumber(value) && !isText(value)) return fallback === undefined ? new Float(0) : fallback;
    const float = attemptFloat(value);
    return float === undefined ? (fallback === undefined ? new Float(0) : fallback) : asFloat(float);
  }),
  forceescape: plain('do_forceescape', (value) => new Markup(escapeHtml(pythonStr(value)))),
  format: (value, args, keywords) => {
    const hasKeywords = Object.keys(keywords).length > 0;
    if (args.length > 0 && hasKeywords)
      return raise('FilterArgumentError', "can't handle positional and keyword arguments at the same time");
    return onText(value, (given) => formatPercent(given, hasKeywords ? keywords : tuple(args)));
  },
  groupby: filter('sync_do_groupby', ['attribute', 'default', 'case_sensitive'], 1, groupBy),
  indent: filter('do_indent', ['width', 'first', 'blank'], 0, indent),
  int: filter(
    'do_int',
    ['default', 'base'],
    0,
    ([value, fallback, base]) =>
      integerOf(value, base === undefined ? 10 : index(base)) ?? (fallback === undefined ? 0 : fallback),
  ),
  join: filter('sync_do_join', ['d', 'attribute'], 0, ([value, separator, attribute], strict) => {
    const get = attribute === undefined || attribute === null ? undefined : attributeGetter(attribute, strict);
    const parts: string[] = [];
    for (const item of iterate(value)) parts.push(pythonStr(get === undefined ? item : get(item)));
    return parts.join(separator === undefined ? '' : pythonStr(separator));
  }),
  last: plain('do_last', (value, strict) => {
    if (value instanceof PyIterator) return raise('TypeError', "'generator' object is not reversible");
    const items = Array.isArray(value) ? value : toList(value);
    return items.length === 0 ? new Undefined('No last item, sequence was empty.', strict) : items.at(-1);
  }),
  length: plain('len', length),
  list: plain('sync_do_list', toList),
  lower: plain('do_lower', (value) => onText(value, (given) => given.toLowerCase())),
  items: plain('do_items', (value) => {
    if (value instanceof Undefined) return new PyIterator([]);
    if (!isDict(value)) return raise('TypeError', 'Can only get item pairs from a mapping.');
    return new PyIterator(dictPairs(value).map(tuple));
  }),
  map: (value, args, keywords, strict) => new PyIterator(mapped(value, args, keywords, strict)),
  min: extreme('do_min', -1),
  max: extreme('do_max', 1),
  pprint: plain('do_pprint', prettyText),
  random,
  reject: selecting(false, false),
  rejectattr: selecting(false, true),
  replace: filter('do_replace', ['old', 'new', 'count'], 2, replaceFilter),
  reverse: plain('do_reverse', reverse),
  round: filter('do_round', ['precision', 'method'], 0, roundFilter),
  safe: plain('do_mark_safe', (value) => new Markup(pythonStr(value))),
  select: selecting(true, false),
  selectattr: selecting(true, true),
  slice: filter(
    'sync_do_slice',
    ['slices', 'fill_with'],
    1,
    ([value, count, fill]) => new PyIterator(slices(value, index(count), fill)),
  ),
  sort: filter('do_sort', ['reverse', 'case_sensitive', 'attribute'], 0, sortFilter),
  string: plain('soft_str', (value) => (value instanceof Markup ? value : pythonStr(value))),
  striptags: plain('do_striptags', stripTags),
  sum: filter('sync_do_sum', ['attribute', 'start'], 0, sum),
  title: plain('do_title', titleFilter),
  trim: filter('do_trim', ['chars'], 0, ([value, chars]) =>
    onText(value, (given) => text.strip(given, chars === undefined || chars === null ? null : pythonStr(chars))),
  ),
  truncate: filter('do_truncate', ['length', 'killwords', 'end', 'leeway'], 0, truncate),
  unique: filter(
    'sync_do_unique',
    ['case_sensitive', 'attribute'],
    0,
    ([value, caseSensitive, attribute], strict) =>
      new PyIterator(unique(value, attributeGetter(attribute, strict, undefined, foldUnless(caseSensitive)))),
  ),
  upper: plain('do_upper', (value) => onText(value, (given) => given.toUpperCase())),
  urlencode: plain('do_urlencode', urlEncode),
  urlize: filter('do_urlize', ['trim_url_limit', 'nofollow', 'target', 'rel'], 0, urlizeFilter),
  wordcount: plain('do_wordcount', (value) => pythonStr(value).match(/[\p{L}\p{N}\p{Mn}_]+/gu)?.length ?? 0),
  wordwrap: filter(
    'do_wordwrap',
    ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'],
    0,
    ([value, width, breakLong, wrapString, hyphens]) => {
      const newline = wrapString === undefined || wrapString === null ? '\n' : pythonStr(wrapString);
      const wrap = (line: string): string =>
        wrapText(
          line,
          width === undefined ? 79 : index(width),
          breakLong === undefined || truth(breakLong),
          hyphens === undefined || truth(hyphens),
        ).join(newline);
      if (value instanceof Undefined) return value.fail();
      return text.splitLines(pythonStr(value)).map(wrap).join(newline);
    },
  ),
  xmlattr: filter('do_xmlattr', ['autospace'], 0, xmlAttributes),
  tojson: filter('do_tojson', ['indent'], 0, ([value, margin]) => {
    const unit =
      margin === undefined || margin === null ? null : isText(margin) ? pythonStr(margin) : ' '.repeat(index(margin));
    return new Markup(jsonText(value, unit));
  }),
};

const aliases: Readonly<Record<string, string>> = { count: 'length', d: 'default', e: 'escape' };

function urlizeFilter([value, limit, nofollow, target, rel]: readonly unknown[]): unknown {
  const given = rel === undefined || rel === null ? [] : text.split(pythonStr(rel), null, -1);
  return urlize(pythonStr(value), {
    limit: limit === undefined || limit === null ? undefined : index(limit),
    rel: [...given, 'noopener', ...(nofollow !== undefined && truth(nofollow) ? ['nofollow'] : [])],
    target: target === undefined || target === null ? undefined : pythonStr(target),
  });
}

/** @throws PythonError TemplateRuntimeError when there is no such filter: a name known only while rendering */
export function findFilter(name: string): Filter {
  const found = lookUpFilter(name);
  return found ?? raise('TemplateRuntimeError', `No filter named '${name}'.`);
}

export function lookUpFilter(name: string): Filter | undefined {
  const key = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return Object.hasOwn(filters, key) ? filters[key] : undefined;
}

export function lookUpTest(name: string): Test | undefined {
  if (name === 'filter') return (value) => lookUpFilter(pythonStr(value)) !== undefined;
  if (name === 'test') return (value) => lookUpTest(pythonStr(value)) !== undefined;
  return Object.hasOwn(tests, name) ? tests[name] : undefined;
}

function findTest(name: string): Test {
  return lookUpTest(name) ?? raise('TemplateRuntimeError', `No test named '${name}'.`);
}
