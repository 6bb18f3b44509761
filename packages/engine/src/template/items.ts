import { DescribedObject } from './described.ts';
import { PyRange } from './python-range.ts';
import { Markup, plainOf, type SliceBounds, Tuple, tuple } from './python-types.ts';
import { characters, isText } from './python-values.ts';
import { spendMembers } from './render-budget.ts';
import { sliceIndexes, slicePlaces } from './slice.ts';

/** `value[at]` of what has items in order, or undefined. */
export function itemAt(given: unknown, at: number): unknown {
  const value = plainOf(given);
  if (Array.isArray(value)) return value.at(at);
  if (isText(value)) {
    const text = typeof value === 'string' ? value : value.text;
    const character = characters(text).at(at);
    return character === undefined || typeof value === 'string' ? character : new Markup(character);
  }
  if (value instanceof DescribedObject) return hasOrder(value) ? value.items?.at(at) : undefined;
  return value instanceof PyRange ? value.list().at(at) : undefined;
}

/** `value[start:stop:step]`, or undefined where nothing can be cut. */
export function sliced(given: unknown, bounds: SliceBounds): unknown {
  const value = plainOf(given);
  if (Array.isArray(value)) {
    const places = sliceIndexes(bounds, value.length);
    spendMembers(places.length);
    const items = places.map((at) => value[at]);
    return value instanceof Tuple ? tuple(items) : items;
  }
  if (isText(value)) {
    const all = characters(typeof value === 'string' ? value : value.text);
    const text = sliceIndexes(bounds, all.length)
      .map((at) => all[at])
      .join('');
    return typeof value === 'string' ? text : new Markup(text);
  }
  if (value instanceof PyRange) {
    const { start, stop, step } = slicePlaces(bounds, value.length);
    return new PyRange(value.start + start * value.step, value.start + stop * value.step, value.step * step);
  }
  return undefined;
}

const unordered = new Set(['set', 'frozenset', 'dict_keys', 'dict_values', 'dict_items']);

/** Whether an object of a program has items that were told, and one after the other. */
function hasOrder({ items, told }: DescribedObject): boolean {
  return items !== null && !unordered.has(told.type);
}
