import { editDistance, nearestName } from '../source/nearest-name.ts';
import type { JsonValue } from '../value/json.ts';
import { listOf, mappingOf } from '../value/shapes.ts';

/** Of draft-06 to 2020-12, and what OpenAPI, Gemini and editors add. */
const known = [
  ...[
    '$schema',
    '$id',
    '$ref',
    '$anchor',
    '$dynamicRef',
    '$dynamicAnchor',
    '$recursiveRef',
    '$recursiveAnchor',
    '$vocabulary',
    '$comment',
    '$defs',
  ],
  ...['id', 'definitions', 'type', 'enum', 'const', 'title', 'description', 'default', 'deprecated', 'examples'],
  ...['readOnly', 'writeOnly', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'items', 'prefixItems', 'additionalItems', 'unevaluatedItems'],
  ...['contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems', 'properties'],
  ...['patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'minProperties'],
  ...['maxProperties', 'required', 'dependencies', 'dependentRequired', 'dependentSchemas', 'allOf', 'anyOf', 'oneOf'],
  ...['not', 'if', 'then', 'else', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['nullable', 'example', 'discriminator', 'externalDocs', 'xml', 'propertyOrdering', 'errorMessage'],
];
const schemasByName = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
/** What holds no schemas, among them words of OpenAPI. */
const values = [
  ...['enum', 'const', 'default', 'examples', 'example', 'required', 'dependentRequired'],
  ...['discriminator', 'externalDocs', 'xml'],
];

type Path = readonly (string | number)[];

export interface MisspeltKeyword {
  readonly written: string;
  readonly meant: string;
  /** Below the schema. */
  readonly path: Path;
}

/** Keywords of a JSON Schema that are nearly known ones. Others are nobody's mistake: JSON Schema passes them over. */
export function misspeltKeywords(schema: JsonValue): readonly MisspeltKeyword[] {
  return inSchema(schema, []);
}

function inSchema(schema: JsonValue, path: Path): readonly MisspeltKeyword[] {
  return Object.entries(mappingOf(schema)).flatMap(([written, value]) => {
    const here = [...path, written];
    const meant = known.includes(written) ? undefined : meantKeyword(written);
    const below = inKeyword(meant ?? written, value, here);
    return meant === undefined ? below : [{ written, meant, path: here }, ...below];
  });
}

function inKeyword(keyword: string, value: JsonValue, path: Path): readonly MisspeltKeyword[] {
  if (values.includes(keyword) || !known.includes(keyword)) return [];
  if (schemasByName.includes(keyword))
    return Object.entries(mappingOf(value)).flatMap(([name, one]) => inSchema(one, [...path, name]));
  return [...inSchema(value, path), ...listOf(value).flatMap((one, at) => inSchema(one, [...path, at]))];
}

/** Words of one's own may be near a short keyword (`note`, `not`), or begin with one (`title_ja`). */
function meantKeyword(written: string): string | undefined {
  const meant = /^x-/i.test(written) ? undefined : nearestName(written, known);
  if (meant === undefined || meant.length < 4) return undefined;
  if (written.startsWith(meant) && written.length > meant.length + 1) return undefined;
  const edits = editDistance(written.toLowerCase(), meant.toLowerCase());
  return edits <= (meant.length < 8 ? 1 : 2) ? meant : undefined;
}
