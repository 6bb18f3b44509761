import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** A schema of OpenAPI 3.0 or Swagger 2.0 as JSON Schema has it by now: a bound that is exclusive is a number of its own. */
export function plainSchema(schema: JsonObject): JsonObject {
  return plain(schema) as JsonObject;
}

function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plain);
  if (!isMapping(value)) return value;
  const members = new Map(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  for (const [exclusive, bound] of bounds) {
    const isExclusive = members.get(exclusive);
    const number = members.get(bound);
    if (typeof isExclusive !== 'boolean' || (number !== undefined && isMapping(number))) continue;
    members.delete(exclusive);
    if (!isExclusive || number === undefined) continue;
    members.delete(bound);
    members.set(exclusive, number);
  }
  return Object.fromEntries(members);
}
