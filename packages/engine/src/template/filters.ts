import { Float } from '../value/float.ts';
import { ownValue } from '../value/own-value.ts';
import { escapeHtml } from './escape-html.ts';
import { attr, nameOf } from './filter-attributes.ts';
import { attemptFloat, fileSize, integerOf, roundFilter } from './filter-numbers.ts';
import { batches, dictSort, extreme, groupBy, reverse, slices, sortFilter, sum, unique } from './filter-sequences.ts';
import {
  attributeGetter,
  type Filter,
  filter,
  foldUnless,
  type Getter,
  onText,
  plain,
  softText,
} from './filter-support.ts';
import {
  escaped,
  indent,
  replaceFilter,
  stripTags,
  titleFilter,
  truncate,
  urlEncode,
  urlizeFilter,
  xmlAttributes,
} from './filter-texts.ts';
import { jsonText } from './json-text.ts';
import { capitalize } from './letter-case.ts';
import { prettyText } from './pretty-text.ts';
import { binary, signed } from './python-number.ts';
import { pythonStr } from './python-text.ts';
import { dictPairs, isDict, type Keywords, Markup, PyIterator, plainOf, tuple, Undefined } from './python-types.ts';
import {
  asFloat,
  index,
  isIterable,
  isNumber,
  isText,
  iterate,
  length,
  numeric,
  toList,
  truth,
} from './python-values.ts';
import { raise } from './template-error.ts';
import { type Test, tests } from './tests.ts';
import * as text from './text-functions.ts';
import { typeName } from './type-name.ts';
import { wrapText } from './wrap-text.ts';

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
  return (item) => findFilter(pythonStr(name))(item, rest, keywords, strict);
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
  return (value) => findTest(name)(value, args, keywords);
}

const selecting =
  (wanted: boolean, byAttribute: boolean): Filter =>
  (value, args, keywords, strict) =>
    new PyIterator(selected(value, args, keywords, strict, wanted, byAttribute));

function* itemPairs(value: unknown): Generator<unknown> {
  if (value instanceof Undefined) return;
  if (!isDict(value)) raise('TypeError', 'Can only get item pairs from a mapping.');
  else for (const pair of dictPairs(value)) yield tuple(pair);
}

const random: Filter = () => raise('NotSupportedError', "the filter 'random' gives another text every time");

/** The filters of Jinja by name. */
const filters: Readonly<Record<string, Filter>> = {
  abs: plain('abs', (given) => {
    const value = plainOf(given);
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
  capitalize: plain('do_capitalize', (value) => onText(value, capitalize)),
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
    const float = attemptFloat(value);
    return float === undefined ? (fallback === undefined ? new Float(0) : fallback) : asFloat(float);
  }),
  forceescape: plain('do_forceescape', (value) => new Markup(escapeHtml(pythonStr(value)))),
  format: (value, args, keywords) => {
    const hasKeywords = Object.keys(keywords).length > 0;
    if (args.length > 0 && hasKeywords)
      return raise('FilterArgumentError', "can't handle positional and keyword arguments at the same time");
    return binary('%', value instanceof Markup ? value : softText(value), hasKeywords ? keywords : tuple(args));
  },
  groupby: filter('sync_do_groupby', ['attribute', 'default', 'case_sensitive'], 1, groupBy),
  indent: filter('do_indent', ['width', 'first', 'blank'], 0, indent),
  int: filter(
    'do_int',
    ['default', 'base'],
    0,
    ([value, fallback, base]) =>
      integerOf(value, () => (base === undefined ? 10 : index(base))) ?? (fallback === undefined ? 0 : fallback),
  ),
  join: filter('sync_do_join', ['d', 'attribute'], 0, ([value, separator, attribute], strict) => {
    const get = attribute === undefined || attribute === null ? undefined : attributeGetter(attribute, strict);
    const parts: string[] = [];
    for (const item of iterate(value)) parts.push(pythonStr(get === undefined ? item : get(item)));
    return parts.join(separator === undefined ? '' : pythonStr(separator));
  }),
  last: plain('do_last', (value, strict) => {
    if (value instanceof PyIterator || !isIterable(value))
      return raise('TypeError', `'${typeName(value)}' object is not reversible`);
    const items = Array.isArray(value) ? value : toList(value);
    return items.length === 0 ? new Undefined('No last item, sequence was empty.', strict) : items.at(-1);
  }),
  length: plain('len', length),
  list: plain('sync_do_list', toList),
  lower: plain('do_lower', (value) => onText(value, (given) => given.toLowerCase())),
  items: plain('do_items', (value) => new PyIterator(itemPairs(value))),
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
  string: plain('soft_str', (value) => (isText(plainOf(value)) ? value : pythonStr(value))),
  striptags: plain('do_striptags', stripTags),
  sum: filter('sync_do_sum', ['attribute', 'start'], 0, sum),
  title: plain('do_title', titleFilter),
  trim: filter('do_trim', ['chars'], 0, ([value, chars]) =>
    onText(value, (given) => text.strip(given, text.optionalText(chars, 'strip'))),
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
  urlize: filter('do_urlize', ['trim_url_limit', 'nofollow', 'target', 'rel', 'extra_schemes'], 0, urlizeFilter),
  wordcount: plain('do_wordcount', (value) => softText(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0),
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
      const whole = plainOf(value);
      if (!isText(whole)) return raise('AttributeError', `'${typeName(value)}' object has no attribute 'splitlines'`);
      return text.splitLines(pythonStr(whole)).map(wrap).join(newline);
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

/** @throws PythonError TemplateRuntimeError when there is no such filter: a name known only while rendering */
function findFilter(name: string): Filter {
  const found = lookUpFilter(name);
  return found ?? raise('TemplateRuntimeError', `No filter named '${name}'.`);
}

export function lookUpFilter(name: string): Filter | undefined {
  const key = ownValue(aliases, name) ?? name;
  return ownValue(filters, key);
}

export function lookUpTest(name: string): Test | undefined {
  if (name === 'filter') return (value) => lookUpFilter(nameOf(value)) !== undefined;
  if (name === 'test') return (value) => lookUpTest(nameOf(value)) !== undefined;
  return ownValue(tests, name);
}

/** Every name a filter can be called by. */
export function filterNames(): string[] {
  return [...Object.keys(filters), ...Object.keys(aliases)];
}

/** Every name a test can be called by. */
export function testNames(): string[] {
  return [...Object.keys(tests), 'filter', 'test'];
}

function findTest(name: string): Test {
  return lookUpTest(name) ?? raise('TemplateRuntimeError', `No test named '${name}'.`);
}
