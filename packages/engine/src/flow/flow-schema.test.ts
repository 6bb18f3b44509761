import { expect, test } from 'vitest';
import { flowJsonSchema } from './flow-schema.ts';

/** `vitest -u` writes the file anew. */
test('schema/flow.schema.json is what the parser checks', async () => {
  const text = `${JSON.stringify(flowJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../schema/flow.schema.json');
});

test('every key has a text for editors', () => {
  const { $schema: _draft, ...schema } = flowJsonSchema() as Schema;
  expect(propertiesIn(schema).length).toBeGreaterThan(50);
  expect(propertiesIn(schema).filter(({ description }) => description === undefined)).toEqual([]);
});

interface Schema {
  readonly description?: string;
  readonly [key: string]: unknown;
}

/** Schemas of all keys, at any depth. */
function propertiesIn(schema: unknown): readonly Schema[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: Readonly<Record<string, Schema>> };
  return [...Object.values(properties), ...Object.values(schema).flatMap(propertiesIn)];
}
