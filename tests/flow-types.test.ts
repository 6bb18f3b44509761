import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openProject, type TypedRow } from '@unroll/project';
import { expect, expectTypeOf, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';
import { writeFiles } from '../packages/cli/src/testing/write-files.ts';
import type { Ask } from './library/ask.d.ts';

const folder = join(import.meta.dirname, 'library');

test('the types of the sample are those that flow types writes', async () => {
  using world = createTestWorld({ folder });
  expect((await world.flow('types', 'ask')).stdout).toBe(readFileSync(join(folder, 'ask.d.ts'), 'utf8'));
});

/** Never called: `pnpm types` reads it, and fails where a wrong use is no error. */
export async function wrongUses(): Promise<void> {
  const ask = openProject(folder).flow<Ask>('ask');
  // @ts-expect-error the question is required
  ask.run({});
  // @ts-expect-error a question is a text
  ask.run({ question: 1 });
  // @ts-expect-error the tone is one of two
  ask.run({ question: 'a', tone: 'loud' });
  // @ts-expect-error there is no such input
  ask.run({ question: 'a', qestion: 'b' });
  // @ts-expect-error there is no such setting
  ask.run({ question: 'a' }, { streamText: true });
  const row = await ask.run({ question: 'a' }).result;
  // @ts-expect-error there is no such output
  row.outputs.anwser;
  // @ts-expect-error it is a text, or null
  row.outputs.answer satisfies number;
  // @ts-expect-error a row that failed may lack it
  row.outputs.answer satisfies string | null;
}

test('outputs are there where the row completed, and may lack where it did not', () => {
  type Row = TypedRow<Ask['outputs']>;
  expectTypeOf<Extract<Row, { status: 'Completed' }>['outputs']>().toEqualTypeOf<Ask['outputs']>();
  expectTypeOf<Exclude<Row, { status: 'Completed' }>['outputs']>().toEqualTypeOf<Partial<Ask['outputs']>>();
});

test('outputs are plain JSON: Python’s floats are numbers', async () => {
  const files = {
    'half/flow.dag.yaml': `inputs: {n: {type: double}}
outputs: {n: {type: double, reference: "\${inputs.n}"}, all: {type: list, reference: "\${same.output}"}}
nodes:
- {name: same, type: python, source: {type: code, path: same.ts}, inputs: {n: "\${inputs.n}"}}
`,
    'half/same.ts': 'export function same({ n }: { n: number }) {\n  return [n, NaN, 2n ** 60n, { deep: n }];\n}\n',
  };
  using world = createTestWorld();
  writeFiles(world.folder, files);
  const { outputs } = await openProject(world.folder).flow('half').run({ n: 2 }).result;
  expect(outputs).toEqual({ n: 2, all: [2, null, 2 ** 60, { deep: 2 }] });
  expect(JSON.stringify(outputs)).toBe('{"n":2,"all":[2,null,1152921504606847000,{"deep":2}]}');
});
