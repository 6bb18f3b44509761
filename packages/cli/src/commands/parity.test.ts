import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const files = (inputs: string, given: string) => ({
  'f/flow.dag.yaml': `inputs: {${inputs}}
outputs:
  a: {type: int, reference: "\${one.output}"}
nodes:
- {name: one, type: python, source: {type: code, path: one.ts}, inputs: {q: "\${inputs.q}"}}
- {name: all, type: python, aggregation: true, source: {type: code, path: all.ts}, inputs: {lengths: "\${one.output}"}}
`,
  'f/one.ts': 'export const one = ({ q }: { q: string }) => q.length;\n',
  'f/all.ts': 'export const all = ({ lengths }: { lengths: number[] }) => lengths.length;\n',
  'rows.jsonl': given,
});

test('rows whose record holds no value of a secret are not run with stars', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, files('q: {type: secret}', '{"q": "sk-abcdefghij"}\n'));
  await world.flow('run', 'f', '--data', 'rows.jsonl', '--name', 'before', '--quiet');
  expect(await world.flow('parity', 'f', 'before', '--quiet')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: run before holds no value of the input "q": its rows cannot be run again\nRun the flow over the data of that run, and compare the two with flow diff.\n',
  });
});

test('rows that were repeated are repeated', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, files('q: {type: string}', '{"q": "a"}\n{"q": "bc"}\n'));
  await world.flow('run', 'f', '--data', 'rows.jsonl', '--repeat', '3', '--name', 'before', '--quiet');
  const { code, stdout } = await world.flow('parity', 'f', 'before', '--quiet');
  expect([code, stdout.split('\n').at(2)]).toEqual([0, '6 of 6 rows compared, paired by line']);
});
