// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const world = createTestWorld();
const rows = '{"question": "How?", "expected": {"says": "How"}}\n{"question": "Why?", "expected": {"says": "Why"}}\n';

beforeAll(() => {
  writeFiles(world.folder, {
    'ask/flow.dag.yaml': `inputs:
  question: {type: string}
  tone: {type: string, default: kind}
outputs:
  answer: {type: string, reference: "\${ask.output}"}
nodes:
  - {name: ask, type: llm, connection: offline, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: offline, question: "\${inputs.question}", tone: "\${inputs.tone}"}}
`,
    'ask/ask.jinja2': '# user:\n{{ tone }} {{ question }}\n',
    'grade/flow.dag.yaml': `inputs:
  answer: {type: string}
outputs:
  grade: {type: string, reference: "\${grade.output}"}
nodes:
  - {name: grade, type: prompt, source: {type: code, path: grade.jinja2}, inputs: {answer: "\${inputs.answer}"}}
`,
    'grade/grade.jinja2': 'I would say {{ answer | length }} of 100\n',
  });
});
afterAll(() => world[Symbol.dispose]());

const says = '{name: says, on: outputs.answer, evaluator: contains, expected: "${row.expected.says}"}';
const withTone = rows.replaceAll('{"question"', '{"tone": "kind", "question"');

async function evaluated(more: string, { metric = says, data = withTone } = {}) {
  const text = `flow: ../ask\ndata: cases.jsonl\n${more}metrics:\n- ${metric}\n`;
  writeFiles(world.folder, { 'ev/eval.yaml': text, 'ev/cases.jsonl': data });
  return await world.flow('eval', 'ev', '--quiet');
}

const rowForm = 'a row is an object, in jsonl one a line: {"question": "…", "expected": {…}}';
const judge = '{name: m, evaluator: flow, flow: ../grade, inputs: {answer: "${outputs.answer}"}';

/** Each mistake as it is told, with what is underlined and the way out. */
test.for<[name: string, more: string, given: { metric?: string; data?: string }, told: string]>([
  [
    'no rows',
    '',
    { data: '' },
    `ev/eval.yaml:2:7 error EVAL_SUBJECT the data has no rows\n    data: cases.jsonl\n          ~~~~~~~~~~~\n    help: ${rowForm}\n1 error\n`,
  ],
  [
    'no row that can be read',
    '',
    { data: '[1]\n[2]\n' },
    `ev/eval.yaml:2:7 error EVAL_SUBJECT no row of the data can be read: cases.jsonl:1: a row must be a JSON object, this is a list\n    data: cases.jsonl\n          ~~~~~~~~~~~\n    help: ${rowForm}\n1 error\n`,
  ],
  [
    'a variant that is not there',
    'variant: ask.variant_9\n',
    {},
    `ev/eval.yaml:3:10 error FLOW_VARIANT node "ask" has no variant "variant_9"\n    variant: ask.variant_9\n             ~~~~~~~~~~~~~\n1 error\n`,
  ],
  [
    'connections of a node that is not there',
    'connections: {aks: {connection: offline}}\n',
    {},
    `ev/eval.yaml:3:33 error FLOW_OVERRIDE "aks.connection" is to be overridden and there is no node "aks"\n    connections: {aks: {connection: offline}}\n                                    ~~~~~~~\n    help: did you mean "ask"?\n1 error\n`,
  ],
  [
    'a connection that nobody has defined',
    'connections: {ask: {connection: mine}}\n',
    {},
    `ev/eval.yaml:3:33 error CONNECTION_MISSING there is no connection "mine" for node "ask"\n    connections: {ask: {connection: mine}}\n                                    ~~~~\n    help: known are "offline"; define it in connections.yaml, with flow connection create, or in environment variables\n1 error\n`,
  ],
  [
    'connections of a judge: of a node it does not have',
    '',
    { metric: `${judge}, score: "\${outputs.grade}", connections: {ask: {connection: offline}}}` },
    `ev/eval.yaml:4:112 error FLOW_OVERRIDE "ask.connection" is to be overridden and there is no node "ask"\n    …../grade, inputs: {answer: "\${outputs.answer}"}, score: "\${outputs.grade}", connections: {ask: {connection: offline}}}\n                                                                                 ~~~~~~~~~~~\n    help: the nodes are grade\n1 error\n`,
  ],
  [
    'connections of a judge: of an input that is none',
    '',
    { metric: `${judge}, score: "\${outputs.grade}", connections: {grade: {modle: gpt-4o}}}` },
    `ev/eval.yaml:4:112 error FLOW_OVERRIDE "modle" of node "grade" cannot be overridden\n    …ow: ../grade, inputs: {answer: "\${outputs.answer}"}, score: "\${outputs.grade}", connections: {grade: {modle: gpt-4o}}}\n                                                                                     ~~~~~~~~~~~\n    help: an llm node and a prompty take connection, deployment_name and model; a python node its inputs that name a connection\n1 error\n`,
  ],
  [
    'connections of a judge that are no connections',
    '',
    { metric: `${judge}, score: "\${outputs.grade}", connections: {grade: gpt-4o}}` },
    `ev/eval.yaml:4:133 error EVAL_PARAMETER "connections.grade" of metric "m" must be a mapping, not "gpt-4o"\n    … flow, flow: ../grade, inputs: {answer: "\${outputs.answer}"}, score: "\${outputs.grade}", connections: {grade: gpt-4o}}\n                                                                                                                   ~~~~~~\n1 error\n`,
  ],
  [
    'a connection of an evaluator that nobody has defined',
    '',
    { metric: '{name: near, on: outputs.answer, evaluator: embedding_similarity, expected: x, connection: ofline}' },
    `ev/eval.yaml:4:94 error EVAL_PARAMETER there is no connection "ofline" for metric "near"\n    - {name: near, on: outputs.answer, evaluator: embedding_similarity, expected: x, connection: ofline}\n                                                                                                 ~~~~~~\n    help: did you mean "offline"?\n1 error\n`,
  ],
  [
    'an input that neither the data nor the flow gives',
    '',
    { data: withTone.replaceAll('question', 'qestion') },
    `ev/eval.yaml:2:7 error EVAL_UNKNOWN_COLUMN no row of the data has the input "question" of the flow: it has no default\n    data: cases.jsonl\n          ~~~~~~~~~~~\n    help: did you mean "qestion"?\n1 error\n`,
  ],
  [
    'a judge that is not there',
    '',
    { metric: `${judge.replace('../grade', '../grad')}}` },
    `ev/eval.yaml:4:36 error EVAL_SUBJECT there is no file or folder ../grad\n    - {name: m, evaluator: flow, flow: ../grad, inputs: {answer: "\${outputs.answer}"}}\n                                       ~~~~~~~\n    help: did you mean "../grade"?\n1 error\n`,
  ],
  [
    'a judge of which the score is not said',
    '',
    { metric: `${judge}}` },
    `ev/eval.yaml:4:36 error EVAL_UNKNOWN_OUTPUT the judge of metric "m" has no output "score"\n    - {name: m, evaluator: flow, flow: ../grade, inputs: {answer: "\${outputs.answer}"}}\n                                       ~~~~~~~~\n    help: say which is the score: score: \${outputs.grade}; it has grade\n1 error\n`,
  ],
  [
    'a score that the judge does not give',
    '',
    { metric: `${judge}, score: "\${outputs.grad}"}` },
    `ev/eval.yaml:4:92 error EVAL_UNKNOWN_OUTPUT the judge of metric "m" has no output "grad"\n    - {name: m, evaluator: flow, flow: ../grade, inputs: {answer: "\${outputs.answer}"}, score: "\${outputs.grad}"}\n                                                                                               ~~~~~~~~~~~~~~~~~\n    help: did you mean "grade"?\n1 error\n`,
  ],
])('%s: nothing runs, and the place is told', async ([, more, given, told]) => {
  const { code, stdout, stderr } = await evaluated(more, given);
  expect([code, stdout, stderr]).toEqual([2, '', told]);
});

test.for([
  ['no column is called nearly so: no doubt', '', ''],
  [
    'a column that feeds nothing is called nearly so',
    '"toen": "warm", ',
    'ev/eval.yaml:2:7 warning EVAL_UNKNOWN_COLUMN no row of the data has the input "tone" of the flow: its default is taken in every row\n    data: cases.jsonl\n          ~~~~~~~~~~~\n    help: did you mean "toen"?\n1 warning\n\n',
  ],
])('an input of which the default is taken in every row: %s', async ([, column, told]) => {
  const { code, stdout, stderr } = await evaluated('', {
    data: rows.replaceAll('{"question"', `{${column}"question"`),
  });
  expect(stderr).toBe(told);
  expect([code, /says .* 100 %/.test(stdout)]).toEqual([0, true]);
});

test('a warning about the mapping names the key of the file, not the option of a run', async () => {
  const nearly = await evaluated('column_mapping: {question: "${data.question"}\n');
  expect(nearly.stderr).toContain(
    'a column is read where nothing stands beside its reference\n      for instance column_mapping: {question: "${data.COLUMN}"}\n',
  );
  writeFiles(world.folder, {
    'own/flow.dag.yaml':
      'inputs: {tone: {type: string, default: kind}}\noutputs: {answer: {type: string, reference: "${inputs.tone}"}}\nnodes: []\n',
    'ev2/eval.yaml': `flow: ../own\ndata: cases.jsonl\nmetrics:\n- ${says}\n`,
    'ev2/cases.jsonl': rows,
  });
  const unused = await world.flow('eval', 'ev2', '--quiet');
  expect(unused.stderr).toContain('      to use a column: column_mapping: {tone: "${data.COLUMN}"}\n');
});

test('a misspelt keyword of a JSON Schema is told: the schema asked for nothing there, and all rows passed', async () => {
  const metric = '{name: form, on: outputs.answer, evaluator: json_schema, schema: {type: string, minLenght: 3}}';
  const { code, stderr } = await evaluated('', { metric });
  expect([code, stderr]).toEqual([
    0,
    `ev/eval.yaml:4:83 warning EVAL_PARAMETER the schema has "minLenght", which is no keyword of JSON Schema\n    - ${metric}\n${' '.repeat(86)}~~~~~~~~~\n    help: did you mean "minLength"?\n1 warning\n\n`,
  ]);
});
