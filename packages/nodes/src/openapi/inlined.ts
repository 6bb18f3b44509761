import { type JsonObject, type JsonValue, mappingOf } from '@unroll/engine';

/**
 * A value of a JSON document with what its `$ref`s name in their place (RFC 6901, within the document). One that leads
 * nowhere stays as it is written; one that leads round in a circle ends as an empty schema.
 */
export function inlined(value: JsonValue, document: JsonObject, above: readonly JsonValue[] = []): JsonValue {
  const found = resolved(value, document);
  if (typeof found !== 'object' || found === null || found instanceof Number) return found;
  if (above.includes(found)) return {};
  const inside = [...above, found];
  if (Array.isArray(found)) return (found as readonly JsonValue[]).map((one) => inlined(one, document, inside));
  return Object.fromEntries(
    Object.entries(found as JsonObject).map(([key, one]) => [key, inlined(one, document, inside)]),
  );
}

function resolved(value: JsonValue, document: JsonObject, depth = 0): JsonValue {
  const reference = mappingOf(value)['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/') || depth > 20) return value;
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  let current: JsonValue | undefined = document;
  for (const step of steps) current = mappingOf(current)[step];
  return current === undefined ? value : resolved(current, document, depth + 1);
}
