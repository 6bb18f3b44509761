import { depthMessage, Float, Image, isPlainObject, isTooDeep, type JsonObject, type JsonValue } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { shownKind } from '../host/required-names.ts';

/**
 * The inputs that a program gives, without those that are undefined: a copy, since a program may go on with its objects before they are read.
 *
 * @throws ProjectFailure where they are no object, or hold what JSON cannot say
 */
export function readInputs(inputs: JsonObject): JsonObject {
  const isObject = typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs);
  if (!isObject) throw new ProjectFailure('inputs must be an object: the value of each input by its name');
  if (isTooDeep(inputs)) throw new ProjectFailure(`inputs are ${depthMessage()}, or hold themselves`);
  const given = Object.entries(inputs).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const odd = foreignPart(value);
    if (odd !== undefined) throw new ProjectFailure(`the input "${name}" holds ${odd}, which JSON cannot say`);
  }
  return Object.fromEntries(given.map(([name, value]) => [name, copyOf(value)]));
}

function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null || value instanceof Float || value instanceof Image) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, copyOf(part)]));
}

/** The first part of a value that is no JSON, in words; undefined where it is JSON through and through, with Python's numbers. */
function foreignPart(value: JsonValue): string | undefined {
  if (value === undefined || ['function', 'symbol'].includes(typeof value)) return shownKind(value);
  if (typeof value !== 'object' || value === null || value instanceof Float || value instanceof Image) return undefined;
  if (!Array.isArray(value) && !isPlainObject(value)) return shownKind(value);
  for (const part of Object.values(value)) {
    const odd = foreignPart(part as JsonValue);
    if (odd !== undefined) return odd;
  }
  return undefined;
}
