import { expect, test, vi } from 'vitest';
import { type JsonObject, type JsonValue, parseJson } from './json.ts';
import { compileJsonSchema } from './json-schema.ts';

const check = compileJsonSchema({
  type: 'object',
  properties: { n: { type: 'number' } },
  required: ['n'],
  additionalProperties: false,
});

test.for(['{"n": 1.0}', '{"n": 12345678901234567890}', '{"n": 1e22}'])('%s holds a number', (text) => {
  expect(check(parseJson(text))).toEqual([]);
});

test.for(['{"n": NaN}', '{"n": 1e400}', '{"n": -Infinity}'])('%s holds none that JSON has', (text) => {
  expect(check(parseJson(text))).toEqual([{ path: 'n', message: 'must be number' }]);
});

test('an optional member that is not there', () => {
  expect(check({ n: 1, m: undefined as unknown as JsonValue })).toEqual([]);
});

test('a schema that refers to itself for the same value says so, and ends nothing', () => {
  expect(compileJsonSchema({ $ref: '#' })({ n: 1 })).toEqual([
    { path: '', message: 'cannot be checked: its schema refers to itself without end', isUnknown: true },
  ]);
  const n = { $ref: '#/definitions/n' };
  expect(() => compileJsonSchema({ properties: { n }, definitions: { n } })).toThrow(/^its schema refers to itself/);
});

test('a schema of draft 2020-12, which MCP and OpenAPI 3.1 mean, is read as one', () => {
  const pair = { prefixItems: [{ type: 'number' }], items: false };
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const checkPair = compileJsonSchema({ $schema, type: 'object', properties: { pair } });
  expect(checkPair({ pair: [1] })).toEqual([]);
  expect(checkPair({ pair: [1, 2] })).toMatchObject([{ path: 'pair' }]);
});

test.for<readonly [schema: JsonObject, fits: JsonValue, fails: JsonValue]>([
  [{ prefixItems: [{ type: 'number' }], items: false }, [1], [1, 2]],
  [{ properties: { a: {} }, unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
  [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
  [{ allOf: [{ contains: { type: 'number' }, minContains: 2 }] }, [1, 2], [1]],
  [{ items: [{ type: 'number' }], additionalItems: false }, [1], ['x']],
])('a schema that does not tell its draft is read as the one whose keywords it has: %j', ([schema, fits, fails]) => {
  const checked = compileJsonSchema(schema);
  expect(checked(fits)).toEqual([]);
  expect(checked(fails)).not.toEqual([]);
});

test.for<readonly [$schema: string, schema: JsonObject, fits: JsonValue, fails: JsonValue]>([
  ['http://json-schema.org/draft-06/schema#', { exclusiveMinimum: 1 }, 2, 1],
  ['http://json-schema.org/draft-07/schema', { if: { type: 'string' }, else: { minimum: 1 } }, 'a', 0],
  ['https://json-schema.org/draft-07/schema#', { items: [{ type: 'number' }] }, [1], ['x']],
  ['http://json-schema.org/schema#', { minimum: 1 }, 1, 0],
  ['https://json-schema.org/draft/2019-09/schema', { items: [{}], unevaluatedItems: false }, [1], [1, 2]],
  ['https://json-schema.org/draft/2020-12/schema#', { prefixItems: [{ type: 'number' }] }, [1], ['x']],
])('%s: %j', ([$schema, schema, fits, fails]) => {
  const checked = compileJsonSchema({ $schema, ...schema });
  expect(checked(fits)).toEqual([]);
  expect(checked(fails)).not.toEqual([]);
});

test.for(['http://json-schema.org/draft-04/schema#', 'https://example.com/own', '', 7])('$schema %s', ($schema) => {
  expect(() => compileJsonSchema({ $schema })).toThrow(
    `its $schema is ${JSON.stringify($schema)}, and only those of draft-06, draft-07, 2019-09 and 2020-12 are read`,
  );
});

test('nothing is printed of a format that nobody knows', () => {
  const printed = vi.spyOn(console, 'warn');
  expect(compileJsonSchema({ type: 'string', format: '\u001b[2Jint64' })('7')).toEqual([]);
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

test('a name that every object inherits is no member', () => {
  const one = compileJsonSchema({ required: ['toString', 'n'], properties: { constructor: { type: 'string' } } });
  expect(one({ n: 1 })).toEqual([{ path: '', message: "must have required property 'toString'" }]);
});

test('a schema that Ajv fails over leaves open whether a value fits, and ends nothing', () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const oneOf = [{ additionalProperties: { type: 'null' } }, {}];
  const checked = compileJsonSchema({ $schema, patternProperties: { '^.$': {} }, oneOf })({ b: 'x' });
  expect(checked).toEqual([{ path: '', message: 'cannot be checked: Ajv fails over its schema', isUnknown: true }]);
});
