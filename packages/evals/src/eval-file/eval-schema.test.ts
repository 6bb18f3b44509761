import { expect, test } from 'vitest';
import { evaluators } from '../evaluators/evaluators.ts';
import { evalJsonSchema } from './eval-schema.ts';

/** `vitest -u` writes the file again. */
test('schema/eval.schema.json is what the parser checks', async () => {
  const text = `${JSON.stringify(evalJsonSchema(evaluators), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../schema/eval.schema.json');
});
