import type { JsonObject } from '@unroll/engine';
import { expect, test } from 'vitest';
import { plainSchema } from './plain-schema.ts';

test.for<[JsonObject, JsonObject]>([
  [
    { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { type: 'number', exclusiveMinimum: 1, maximum: 9 },
  ],
  [{ nullable: true, allOf: [{ type: 'string', nullable: true }] }, { allOf: [{ type: 'string', nullable: true }] }],
  [{ type: 'string', examples: { one: { value: 'a' } } }, { type: 'string' }],
  [
    { type: 'string', examples: ['a'] },
    { type: 'string', examples: ['a'] },
  ],
  [{ enum: ['a', 'b', 'a', null] }, { enum: ['a', 'b', null] }],
  // Properties have any name.
  [
    { properties: { examples: { type: 'object' }, nullable: { exclusiveMinimum: true, minimum: 2 } } },
    { properties: { examples: { type: 'object' }, nullable: { exclusiveMinimum: 2 } } },
  ],
  [{ default: { nullable: true } }, { default: { nullable: true } }],
])('%j', ([written, plain]) => {
  expect(plainSchema(written)).toEqual(plain);
});
