import type { JsonObject, JsonValue } from './json.ts';

/** Where something stands: in an input of a node, or in its output where none is named. */
interface ValuePlace {
  readonly input?: string;
  /** Keys of mappings, places in lists. */
  readonly path: readonly (string | number)[];
}

/**
 * A list or a mapping that stands in two places and is one. Of the output: in an input as it is when the node has ended, or elsewhere in the
 * output. Of an input that code changed: where it was before.
 */
export interface SharedPlace {
  readonly at: ValuePlace;
  readonly from: ValuePlace;
}

/** The output as it was given: one object where it was one, which its JSON tells as two. */
export function withSharedPlaces(output: JsonValue, shared: readonly SharedPlace[], inputs: JsonObject): JsonValue {
  return shared.reduce((value, { at, from }) => {
    if (at.input !== undefined) return value;
    const one = valueAt(from, inputs, value);
    return typeof one === 'object' && one !== null ? replacedAt(value, at.path, one) : value;
  }, output);
}

/** Inputs that code changed, with one object where it left one in several places of all that it was given. @param given before it did */
export function changedTogether(changed: JsonObject, shared: readonly SharedPlace[], given: JsonObject): JsonObject {
  const first = new Map<string, ValuePlace>();
  let linked: JsonValue = changed;
  for (const { at, from } of shared) {
    if (at.input === undefined) continue;
    const before = JSON.stringify(from);
    const isUnchanged = from.input !== undefined && !Object.hasOwn(changed, from.input);
    const one = first.get(before);
    const object = isUnchanged ? valueAt(from, given) : one && valueAt(one, linked as JsonObject);
    if (object === undefined) first.set(before, at);
    else linked = replacedAt(linked, [at.input, ...at.path], object);
  }
  return linked as JsonObject;
}

/** What stood in inputs before code changed them, with what it is now. */
export function movedValues(
  shared: readonly SharedPlace[],
  before: JsonObject,
  now: JsonObject,
): readonly (readonly [before: JsonValue, now: JsonValue])[] {
  return shared.flatMap(({ at, from }) => {
    if (at.input === undefined) return [];
    const [old, one] = [valueAt(from, before), valueAt(at, now)];
    return old === undefined || one === undefined ? [] : [[old, one] as const];
  });
}

function valueAt({ input, path }: ValuePlace, inputs: JsonObject, output?: JsonValue): JsonValue | undefined {
  let value = input === undefined ? output : inputs[input];
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

/** The value itself where it has no such place, or that there. */
function replacedAt(value: JsonValue, [key, ...rest]: ValuePlace['path'], by: JsonValue): JsonValue {
  if (key === undefined) return by;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  const old = (value as JsonObject)[key] as JsonValue;
  const member = replacedAt(old, rest, by);
  if (member === old) return value;
  if (Array.isArray(value)) return value.with(Number(key), member);
  return { ...(value as JsonObject), [key]: member };
}
