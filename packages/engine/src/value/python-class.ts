import { Float } from './float.ts';
import { isPlainObject } from './plain-object.ts';

const classes: Readonly<Record<string, string>> = { string: 'str', boolean: 'bool', bigint: 'int' };

/** Name of the class a value has in Python: `str`, `NoneType`, `dict`. */
export function pythonClass(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Float) return 'float';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'object') return isPlainObject(value) ? 'dict' : value.constructor.name;
  return classes[typeof value] ?? 'object';
}
