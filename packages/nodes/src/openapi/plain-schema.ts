import { isMapping, type JsonObject, type JsonValue } from '@unroll/engine';

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;
const schemasByName = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const values = ['enum', 'const', 'default', 'example', 'examples', 'required', 'discriminator', 'xml', 'externalDocs'];

/**
 * A schema of OpenAPI 3.0 or Swagger 2.0 as JSON Schema has it by now: a bound that is exclusive is a number of its own. What documents hold
 * all the same and JSON Schema refuses, without asking anything of a value, is left out: `nullable` beside no `type` (OpenAPI 3.0.3,
 * "Schema Object"), `examples` by name, a value that stands twice in `enum`.
 */
export function plainSchema(schema: JsonObject): JsonObject {
  const members = new Map(Object.entries(schema).map(([key, member]) => [key, plainMember(key, member)]));
  for (const [exclusive, bound] of bounds) {
    const isExclusive = members.get(exclusive);
    if (typeof isExclusive !== 'boolean') continue;
    const number = members.get(bound);
    members.delete(exclusive);
    if (!isExclusive || number === undefined) continue;
    members.delete(bound);
    members.set(exclusive, number);
  }
  if (!members.has('type')) members.delete('nullable');
  if (!Array.isArray(members.get('examples'))) members.delete('examples');
  return Object.fromEntries(members);
}

function plainMember(key: string, value: JsonValue): JsonValue {
  if (key === 'enum' && Array.isArray(value)) return withoutTwice(value as readonly JsonValue[]);
  if (values.includes(key)) return value;
  if (!schemasByName.includes(key)) return plainValue(value);
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainValue(one)]));
}

function plainValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(plainValue);
  return isMapping(value) ? plainSchema(value) : value;
}

function withoutTwice(listed: readonly JsonValue[]): readonly JsonValue[] {
  return [...new Map(listed.map((one) => [JSON.stringify(one), one])).values()];
}
