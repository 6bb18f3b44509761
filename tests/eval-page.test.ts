import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluators } from '@unroll/evals';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../docs/guide/eval.md'), 'utf8');

/** Those whose own page tells of them. */
const elsewhere: readonly string[] = ['flow', 'pairwise'];

test.for(evaluators)('docs/guide/eval.md tells of $name and its parameters', ({ name, takesK, parameters, reads }) => {
  const line = page
    .split('\n')
    .find((one) => one.startsWith('|') && new RegExp(`\`${name}(@5)?\``).test(one.split('|')[1] ?? ''));
  expect(line, name).toBeDefined();
  const told = elsewhere.includes(name) ? [] : [...Object.keys(parameters.shape), ...reads.map((one) => one.name)];
  for (const parameter of told) expect(line).toContain(`\`${parameter}\``);
  expect(takesK || !line?.includes(`\`${name}@`)).toBe(true);
});
