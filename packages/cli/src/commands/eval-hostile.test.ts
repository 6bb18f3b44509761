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

const flow =
  'inputs: {query: {type: string}}\noutputs: {query: {type: string, reference: "${inputs.query}"}}\nnodes: []\n';

test.for([
  ['each row fails', "throw new Error('no');", '', 1, '✗ Not one row could be scored: own.'],
  ['each row fails, beside another metric', "throw new Error('no');", 'same', 1, '✗ Not one row could be scored: own.'],
  ['no row has a score', 'return null;', '', 1, '✗ Not one row could be scored: own.'],
  ['no row has a score, beside another metric', 'return null;', 'same', 0, ''],
  ['one row has a score', "if (value === 'a') throw new Error('no');", '', 0, ''],
] as const)('an evaluation in which %s', async ([, body, other, expected, said]) => {
  using world = createTestWorld();
  const same = other === '' ? '' : '- {name: same, on: outputs.query, evaluator: equals, expected: "${row.query}"}\n';
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'd.jsonl': '{"query": "a"}\n{"query": "b"}\n',
    'e/eval.yaml': `flow: ../f\ndata: ../d.jsonl\nmetrics:\n- {name: own, on: outputs.query, evaluator: ./own.ts}\n${same}`,
    'e/own.ts': `export default ({ value }: any) => { ${body} return 1; };\n`,
  });
  const { stdout, code } = await world.flow('eval', 'e', '--name', 'r');
  expect([code, stdout.split('\n').find((line) => line.startsWith('✗')) ?? '']).toEqual([expected, said]);
});

test.for([
  ['the evaluator ./own.ts', '{name: own, on: outputs.query, evaluator: ./own.ts}'],
  ['the judge ../j', '{name: own, evaluator: flow, flow: ../j, inputs: {q: "${outputs.query}"}}'],
])('scores of which some are numbers and some true or false are told, once: %s', async ([who = '', metric]) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'd.jsonl': [true, 3, false, 0.5].map((score) => `${JSON.stringify({ query: JSON.stringify(score) })}\n`).join(''),
    'e/eval.yaml': `flow: ../f\ndata: ../d.jsonl\nmetrics:\n- ${metric}\n`,
    'e/own.ts': 'export default ({ value }: any) => JSON.parse(value);\n',
    'j/flow.dag.yaml':
      'inputs: {q: {type: string}}\noutputs: {score: {type: string, reference: "${s.output}"}}\nnodes:\n- {name: s, type: python, source: {type: code, path: s.ts}, inputs: {q: "${inputs.q}"}}\n',
    'j/s.ts': 'export const s = ({ q }: any) => JSON.parse(q);\n',
  });
  const { stderr } = await world.flow('eval', 'e', '--name', 'r', '--quiet');
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(
      /gave (a number|true or false) for row \d and (a number|true or false) for another: the mean/,
    ),
    '',
  ]);
  expect(stderr).toContain(`warning: ${who} gave `);
});

test('numbers beyond 2^53 in an eval.yaml are compared with all their digits', async () => {
  using world = createTestWorld();
  const [id, next] = ['9007199254740993', '9007199254740992'];
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow.replace('type: string', 'type: object'),
    'd.jsonl': `{"query": {"id": ${id}}}\n{"query": {"id": ${next}}}\n`,
    'e/eval.yaml': `flow: ../f\ndata: ../d.jsonl\nmetrics:
- {name: literal, on: outputs.query.id, evaluator: equals, expected: ${id}}
- {name: parameter, on: outputs.query.id, evaluator: ./own.ts, known: [${id}], other: null}
- {name: column, on: outputs.query.id, evaluator: equals, expected: "\${row.query.id}"}
- {name: schema, on: outputs.query, evaluator: json_schema, schema: {type: object, maximum: ${id}}}
`,
    'e/own.ts': 'export default ({ value, known, other }: any) => [known].flat().includes(other ?? value);\n',
  });
  const { stdout, stderr, code } = await world.flow('eval', 'e', '--name', 'r', '--json', '--quiet');
  expect([stderr, code], stdout).toEqual(['', 0]);
  const { metrics } = JSON.parse(stdout) as EvalResult;
  expect(metrics.map(({ name, summary }) => [name, summary.mean])).toEqual([
    ['literal', 0.5],
    ['parameter', 0.5],
    ['column', 1],
    ['schema', 1],
  ]);
});

test('a parameter with a default is a key that a metric may leave out, better and timeout too', async () => {
  using world = createTestWorld();
  const scores = async (metric: string) => {
    const metrics = `- {name: own, on: outputs.query, evaluator: ${metric}}\n`;
    writeFiles(world.folder, { 'e/eval.yaml': `flow: ../f\ndata: ../d.jsonl\nmetrics:\n${metrics}` });
    const { stdout } = await world.flow('eval', 'e', '--run', 'r', '--json');
    const { metrics: read } = JSON.parse(stdout) as Partial<EvalResult>;
    return read?.map(({ better, summary }) => [better, summary.mean]) ?? stdout;
  };
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'd.jsonl': '{"query": "a"}\n',
    'e/own.py':
      'def own(value, least=2, timeout=7, better="higher"):\n    return least + timeout + (1000 if better == "lower" else 0)\n',
    'e/own.ts': 'export default ({ value, least = 2 }: any) => least;\n',
    'e/needs.py': 'def needs(value, least):\n    return least\n',
  });
  await world.flow('run', 'f', '--data', 'd.jsonl', '--name', 'r');
  expect(await scores('./own.py')).toEqual([['higher', 9]]);
  expect(await scores('./own.py, least: 5, better: lower, timeout: 50')).toEqual([['lower', 1055]]);
  expect(await scores('./own.ts')).toEqual([['higher', 2]]);
  expect(await scores('./needs.py')).toContain('lacks \\"least\\", which ./needs.py needs');
});

test('a gate that waits for a baseline, and a key that two rows have, are told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'd.jsonl': [7, 7, 8, 7].map((id) => `{"id": ${id}, "query": "a"}\n`).join(''),
    'e/eval.yaml':
      'flow: ../f\ndata: ../d.jsonl\nkey: id\nmetrics:\n- {name: same, on: outputs.query, evaluator: equals, expected: "${row.query}", gate: {min: 0, no_worse_than: baseline}}\n',
  });
  const first = await world.flow('eval', 'e', '--name', 'r', '--repeat', '2');
  const twice =
    'key: rows 0 and 1 both have the id 7, and 1 more are as an earlier one: of such rows only the first is compared';
  expect(first.stderr).toContain(
    'warning: no baseline was accepted yet, so that same is held to none. flow baseline accept e writes one.',
  );
  expect(first.stderr).toContain(`warning: ${twice}`);
  await world.flow('baseline', 'accept', 'e', '--run', 'r');
  const held = await world.flow('eval', 'e', '--run', 'r');
  expect(held.stderr).not.toContain('no baseline');
  expect(held.stderr).toContain(twice);
});

test('rows of other data than those they are compared with are told, unless a key tells them apart', async () => {
  using world = createTestWorld();
  const evalYaml = (key: string) =>
    `flow: ../f\ndata: ../d.jsonl\n${key}metrics:\n- {name: same, on: outputs.query, evaluator: equals, expected: "\${row.query}"}\n`;
  const row = (id: number) => `{"id": ${id}, "query": "a"}\n`;
  writeFiles(world.folder, {
    'f/flow.dag.yaml': flow,
    'd.jsonl': row(1) + row(2),
    'e/eval.yaml': evalYaml(''),
    'k/eval.yaml': evalYaml('key: id\n'),
  });
  for (const name of ['e', 'k']) expect((await world.flow('baseline', 'accept', name)).code).toBe(0);
  writeFiles(world.folder, { 'd.jsonl': row(2) + row(3) });
  const told = 'and rows are compared by their numbers, whatever stands in them';
  expect((await world.flow('eval', 'e')).stderr).toContain(told);
  expect((await world.flow('eval', 'k')).stderr).not.toContain(told);
});
