import { isMapping, type JsonObject, type JsonValue, mappingOf, ownValue } from '@unroll/engine';

/** Schemas that each name two others come to more values with each level than anybody could be given. */
export const maxValues = 50_000;
/** Schemas that each name the next nest as deep as there are schemas. */
export const maxLevels = 200;

export interface Inlined {
  readonly value: JsonValue;
  /** Whether values beyond the bounds were left out. */
  readonly isCut: boolean;
}

/**
 * A value of a JSON document with what its `$ref`s name in their place (RFC 6901, within the document). One that leads
 * nowhere stays as it is written; one that leads round in a circle, or beyond `maxValues` or `maxLevels`, ends as an empty schema.
 *
 * @param above what it stands in
 */
export function inlined(value: JsonValue, document: JsonObject, above: readonly JsonValue[] = []): Inlined {
  let left = maxValues;
  let isCut = false;
  const within = (one: JsonValue, around: readonly JsonValue[]): JsonValue => {
    const found = resolved(one, document);
    if (typeof found !== 'object' || found === null || found instanceof Number) return found;
    if (around.includes(found)) return {};
    if (left <= 0 || around.length >= above.length + maxLevels) {
      isCut = true;
      return {};
    }
    left -= 1;
    const inside = [...around, found];
    if (Array.isArray(found)) return (found as readonly JsonValue[]).map((member) => within(member, inside));
    return Object.fromEntries(
      Object.entries(found as JsonObject).map(([key, member]) => [key, within(member, inside)]),
    );
  };
  return { value: within(value, above), isCut };
}

/** What a reference names, itself where it names nothing. */
export function resolved(value: JsonValue, document: JsonObject, depth = 0): JsonValue {
  const reference = mappingOf(value)['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/') || depth > 20) return value;
  const steps = stepsOf(reference.slice(2));
  let current: JsonValue | undefined = steps === undefined ? undefined : document;
  for (const step of steps ?? []) current = memberOf(current, step);
  return current === undefined ? value : resolved(current, document, depth + 1);
}

/** Nothing of what every object has by itself, as `constructor`. */
function memberOf(value: JsonValue | undefined, step: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? (value as readonly JsonValue[])[Number(step)] : undefined;
  return isMapping(value) ? ownValue(value, step) : undefined;
}

/**
 * The steps of a JSON Pointer in a fragment, behind its first slash (RFC 6901, 6).
 *
 * @returns undefined where a `%` begins no character
 */
export function stepsOf(pointer: string): readonly string[] | undefined {
  try {
    return pointer.split('/').map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined;
  }
}
