import { Float } from './float.ts';
import type { JsonValue } from './json.ts';
import { PythonDate } from './python-date.ts';
import { isMapping } from './shapes.ts';

/** Python's `not value`, of what YAML gives. */
export function isFalsy(value: JsonValue): boolean {
  if (value === null || value === false || value === '') return true;
  if (typeof value === 'number' || value instanceof Float) return Number(value) === 0;
  if (Array.isArray(value)) return value.length === 0;
  const current: unknown = value;
  return isMapping(value) && !(current instanceof PythonDate) && Object.keys(value).length === 0;
}
