// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import type { EvalResult } from '@unroll/evals';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const crashed = "WorkerCrashed: node './own.ts' lost the thread it ran in: it ended";

test.for([
  ['ends the process', 'process.exit(0);', { errors: 1, scored: 1, said: crashed }],
  ['leaves a failure that nobody awaits', 'void Promise.reject(new Error("stray"));', { errors: 0, scored: 2 }],
  ['fails after it has answered', 'setImmediate(() => { throw new Error("late"); });', { errors: 0, scored: 2 }],
  [
    'fails with ten million characters',
    'throw new Error("x ".repeat(5_000_000));',
    {
      errors: 1,
      scored: 1,
      said: expect.stringMatching(/^Error: (x )+x?… \(10000000 characters\) \(own\.ts:1 in .*\)$/),
    },
  ],
  ['changes the row', 'row.query = "another"; inputs.query = "another";', { errors: 0, scored: 2 }],
] as const)('an evaluator of ours that %s is a matter of its row', async ([, body, expected]) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      'inputs: {query: {type: string}}\noutputs: {query: {type: string, reference: "${inputs.query}"}}\nnodes: []\n',
    'd.jsonl': '{"query": "bad"}\n{"query": "good"}\n',
    'e/eval.yaml':
      'flow: ../f\ndata: ../d.jsonl\nmetrics:\n- {name: own, on: outputs.query, evaluator: ./own.ts}\n- {name: same, on: outputs.query, evaluator: equals, expected: "${row.query}"}\n',
    'e/own.ts': `export default ({ value, row, inputs }: any) => { if (value === 'bad') { ${body} } return 1; };\n`,
  });
  await world.flow('run', 'f', '--data', 'd.jsonl', '--name', 'r');
  const { stdout, code } = await world.flow('eval', 'e', '--run', 'r', '--json');
  const { metrics } = JSON.parse(stdout) as EvalResult;
  const [own, same] = metrics.map(({ summary }) => summary);
  const { errors, scored, unscored = [] } = own ?? {};
  const [reason] = unscored;
  expect({ code, errors, scored, ...(reason === undefined ? {} : { said: reason.said }) }).toEqual({
    code: 0,
    ...expected,
  });
  expect(same).toMatchObject({ mean: 1, scored: 2 });
});
