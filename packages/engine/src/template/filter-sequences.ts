import { sortBy } from './container-methods.ts';
import { GroupTuple } from './data-attributes.ts';
import { attributeGetter, type Filter, filter, foldUnless, type Getter, onText } from './filter-support.ts';
import { compareOrder, equals } from './python-comparison.ts';
import { binary } from './python-number.ts';
import { PyRange } from './python-range.ts';
import { pythonStr } from './python-text.ts';
import { dictPairs, hashKey, isDict, PyIterator, plainOf, Tuple, tuple, Undefined } from './python-types.ts';
import { isText, iterate, toList, truth } from './python-values.ts';
import { spendMembers } from './render-budget.ts';
import { raise } from './template-error.ts';
import { typeName } from './type-name.ts';

export const extreme = (name: string, sign: 1 | -1): Filter =>
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

export function dictSort([value, caseSensitive, by, reverse]: readonly unknown[]): unknown {
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

export function sortFilter([value, reverse, caseSensitive, attribute]: readonly unknown[], strict: boolean): unknown {
  const fold = foldUnless(caseSensitive);
  const parts = isText(attribute) ? pythonStr(attribute).split(',') : [attribute];
  const getters = parts.map((part) => attributeGetter(part, strict, undefined, fold));
  const items = toList(value);
  const keys = items.map((item) => getters.map((get) => get(item)));
  return sortBy(items, keys, truth(reverse));
}

export function* unique(value: unknown, key: Getter): Generator<unknown> {
  const seen = new Set<unknown>();
  for (const item of iterate(value)) {
    const hashed = hashKey(key(item));
    if (seen.has(hashed)) continue;
    seen.add(hashed);
    yield item;
  }
}

export function* slices(value: unknown, count: number, fill: unknown): Generator<unknown> {
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

export function* batches(value: unknown, size: number, fill: unknown): Generator<unknown> {
  let part: unknown[] = [];
  for (const item of iterate(value)) {
    if (part.length === size) {
      yield part;
      part = [];
    }
    part.push(item);
  }
  if (part.length === 0) return;
  if (fill !== undefined && fill !== null) {
    spendMembers(size - part.length);
    while (part.length < size) part.push(fill);
  }
  yield part;
}

export function groupBy([value, attribute, fallback, caseSensitive]: readonly unknown[], strict: boolean): unknown {
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

export function sum([value, attribute, start]: readonly unknown[], strict: boolean): unknown {
  const get = attribute === undefined || attribute === null ? undefined : attributeGetter(attribute, strict);
  let total: unknown = start === undefined ? 0 : start;
  if (isText(total)) raise('TypeError', "sum() can't sum strings [use ''.join(seq) instead]");
  for (const item of iterate(value)) total = binary('+', total, get === undefined ? item : get(item));
  return total;
}

export function reverse(value: unknown): unknown {
  if (isText(plainOf(value))) return onText(value, (given) => [...given].reverse().join(''));
  if (value instanceof PyIterator) return toList(value).reverse();
  if (value instanceof Undefined) return new PyIterator([], 'reversed');
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
