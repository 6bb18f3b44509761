import { Float, Image, isPlainObject, type JsonObject, type JsonValue } from '@unroll/engine';
import { PythonHandle } from '../python-objects/python-handle.ts';
import { setOwn } from './to-value.ts';

/** The inputs as user code gets them: a copy that is its own, floats as plain numbers. */
export function copyInputs(inputs: JsonObject): Record<string, unknown> {
  return copyMapping(inputs);
}

/** Numbers of Python's, images, and Python objects on their way from one Python node to another through this one. */
export function isOwnValue(value: object): boolean {
  return value instanceof Float || isOpaque(value);
}

function isOpaque(value: object): boolean {
  return value instanceof PythonHandle || value instanceof Image;
}

/** Whether user code gets it as the object it is: such an input cannot go to another thread. */
export function holdsObjects(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Float) return false;
  if (Array.isArray(value)) return value.some(holdsObjects);
  return !isPlainObject(value) || Object.values(value).some(holdsObjects);
}

function copyPlain(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float) return value.valueOf();
  if (Array.isArray(value)) return value.map(copyPlain);
  return isPlainObject(value) ? copyMapping(value as JsonObject) : value;
}

function copyMapping(mapping: JsonObject): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(mapping)) setOwn(copy, key, copyPlain(mapping[key] as JsonValue));
  return copy;
}
