import { expect, test } from 'vitest';
import type { ArgumentDefinition } from './argument-definition.ts';
import { argumentSchema } from './argument-schema.ts';

type Written = Omit<ArgumentDefinition, 'field_name'>;

function schemaOf(written: Written): unknown {
  const built = argumentSchema([{ field_name: 'x', ...written }]);
  return built.ok ? built.schema['properties'] : built.problems.map(({ code, path }) => `${code} ${path}`);
}

const key: ArgumentDefinition = { field_name: 'k', schema: { annotation: 'string' } };

test.for<readonly [name: string, written: Written, wanted: unknown]>([
  ['whole numbers', { schema: { annotation: 'integer' } }, { x: { type: 'integer' } }],
  [
    'whole numbers of an enumeration',
    { schema: { annotation: 'integer', enum: [1, 2n] } },
    { x: { type: 'integer', enum: [1, 2n] } },
  ],
  [
    'an enumeration of whole numbers with a part of one',
    { schema: { annotation: 'integer', enum: [1, 1.5] } },
    ['ENUM_VALUE_TYPE x'],
  ],
  [
    'whole numbers in an array',
    { schema: { annotation: 'array', items: { annotation: 'integer' } } },
    { x: { type: 'array', items: { type: 'integer' } } },
  ],
  [
    'an enumeration beside the schema',
    { schema: { annotation: 'string' }, enum: ['a'] },
    { x: { type: 'string', enum: ['a'] } },
  ],
  [
    'an enumeration beside the members of an object',
    { schema: { annotation: 'object' }, nest: [key], enum: ['a'] },
    ['ENUM_NOT_ALLOWED x'],
  ],
  ['an empty enumeration beside the schema', { schema: { annotation: 'number' }, enum: [] }, ['EMPTY_ENUM x']],
  ['members of what is no object', { schema: { annotation: 'string' }, nest: [key] }, ['MEMBERS_NOT_ALLOWED x']],
])('%s', ([, written, wanted]) => {
  expect(schemaOf(written)).toEqual(wanted);
});

test('a mistake in a member names the member, and where it is written', () => {
  const wrong: ArgumentDefinition = { field_name: 'kind', schema: { annotation: 'string' }, enum: ['cpu', 3] };
  const built = argumentSchema([
    key,
    { field_name: 'target', schema: { annotation: 'object' }, nest: [key, wrong] },
    { field_name: 'rows', schema: { annotation: 'array', items: { annotation: 'object', nest: [wrong] } } },
  ]);
  expect(built.ok ? [] : built.problems.map(({ path, written }) => [path, written])).toEqual([
    ['target.kind', [1, 'nest', 1]],
    ['rows.items.kind', [2, 'schema', 'items', 'nest', 0]],
  ]);
});

test('an argument may have any name', () => {
  const built = argumentSchema([{ field_name: '__proto__', schema: { annotation: 'string' } }]);
  const properties = JSON.parse('{"__proto__": {"type": "string"}}');
  expect(built).toEqual({ ok: true, schema: { type: 'object', properties, required: ['__proto__'] } });
});
