import { isPlainObject } from '../value/plain-object.ts';
import { dictPairs, NewlineList, PyDict, Tuple } from './python-types.ts';

/**
 * Values as Prompt flow's Azure chat tools hand them to a template: each list prints one item a line, at any depth of lists and
 * dicts. A tuple and what an object holds stay as they are; a dict of another class (`Counter`) becomes a dict.
 */
export function newlineLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Tuple) return value;
  if (Array.isArray(value)) return NewlineList.from(value.map(newlineLists));
  if (value instanceof PyDict) return PyDict.from(dictPairs(value).map(([key, member]) => [key, newlineLists(member)]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, newlineLists(member)]));
}
