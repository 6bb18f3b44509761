import { expect, test } from 'vitest';
import { testTable } from '../../testing/test-table.ts';

const long = (end: string): string => `${'long_'.repeat(20)}${end}`;

test.for<[string, string, RegExp]>([
  ['64 characters', 'a'.repeat(64), /^a{64}$/],
  ['a dot', 'orders.get', /^orders_get$/],
  ['65 characters', 'a'.repeat(65), /^a{55}_[0-9a-f]{8}$/],
])('an operation by a name of %s', async ([, operationId, name]) => {
  await using table = testTable({
    'tools.yaml': "- {openapi: api.json, base_url: 'http://127.0.0.1:1'}",
    'api.json': JSON.stringify({ openapi: '3.0.3', paths: { '/a': { get: { operationId } } } }),
  });
  expect(table.told).toBe('');
  const { tools } = await table.open();
  expect(tools.map((tool) => [name.test(tool.name), tool.operation?.operationId])).toEqual([[true, operationId]]);
});

test('two long names that begin alike stay two, for programs as for operations', async () => {
  const programs = ['a', 'b'].map((end) => `- {name: ${long(end)}, description: d, lambda: {function: f}}`);
  const paths = Object.fromEntries(['c', 'd'].map((end) => [`/${end}`, { get: { operationId: long(end) } }]));
  await using table = testTable({
    'tools.yaml': [...programs, "- {openapi: api.json, base_url: 'http://127.0.0.1:1'}"].join('\n'),
    'api.json': JSON.stringify({ openapi: '3.0.3', paths }),
  });
  expect(table.told).toBe('');
  const { tools } = await table.open();
  expect(new Set(tools.map(({ name }) => name)).size).toBe(4);
  expect(tools.every(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
});

test('a name that an author chooses is refused where no model can be told it', async () => {
  await using table = testTable({
    'tools.yaml': `- {name: ${long('a')}, description: d, code: t.ts}\n- {name: ${'p'.repeat(129)}, description: d, lambda: {function: f}}`,
    't.ts': `export const ${long('a')} = () => 1;\n`,
  });
  expect(table.diagnostics.map(({ code, help }) => [code, help])).toEqual([
    ['TOOL_NAME', '1 to 64 letters, digits, _ and -'],
    ['TOOL_NAME', '1 to 128 of a-z, 0-9 and _, not starting with _'],
  ]);
});
