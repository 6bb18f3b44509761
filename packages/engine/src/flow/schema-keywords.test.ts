import { expect, test } from 'vitest';
import type { JsonObject } from '../value/json.ts';
import { misspeltKeywords } from './schema-keywords.ts';

test.for<readonly [schema: JsonObject, found: readonly string[]]>([
  [{ type: 'object', propertes: { a: { typ: 'string' } } }, ['propertes: properties', 'propertes.a.typ: type']],
  [{ requird: ['a'], properties: { requird: {} } }, ['requird: required']],
  [{ anyOf: [{ maxLenght: 3 }] }, ['anyOf.0.maxLenght: maxLength']],
  [{ $defs: { a: { additionalPropertes: false } } }, ['$defs.a.additionalPropertes: additionalProperties']],
  [{ discriminator: { propertyName: 'kind' }, xml: { wraped: true }, externalDocs: { descripton: 'a' } }, []],
  [{ 'x-required': 1, note: 1, title_ja: 'x', default: { requird: 1 }, enum: [{ typ: 1 }] }, []],
])('%j', ([schema, found]) => {
  const told = misspeltKeywords(schema).map(({ meant, path }) => `${path.join('.')}: ${meant}`);
  expect(told).toEqual(found);
});
