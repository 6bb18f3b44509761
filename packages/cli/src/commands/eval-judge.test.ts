// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readExport, readExportedEvaluation } from '../testing/read-export.ts';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const world = createTestWorld();

const code = (name: string, inputs: readonly string[], from = 'inputs') =>
  `{name: ${name}, type: python, source: {type: code, path: ${name}.mjs}, inputs: {${inputs.map((one) => `${one}: "\${${from}.${one}}"`).join(', ')}}}`;

const flows = {
  // Answers with its question, as often as the number in it says.
  'ask/flow.dag.yaml': `inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${say.output}"}}
nodes:
- ${code('say', ['q'])}
`,
  'ask/say.mjs': 'export const say = ({ q }) => q.repeat(Number(q.slice(-1)));\n',
  // One point a letter; fails where there is none. Logs the share of long answers over all rows.
  'judges/length/flow.dag.yaml': `inputs: {question: {type: string}, answer: {type: string}}
outputs: {score: {type: int, reference: "\${count.output}"}, nested: {type: object, reference: "\${nest.output}"}}
nodes:
- ${code('count', ['answer'])}
- {name: nest, type: python, source: {type: code, path: nest.mjs}, inputs: {score: "\${count.output}", question: "\${inputs.question}"}}
- {name: share, type: python, aggregation: true, source: {type: code, path: share.mjs}, inputs: {scores: "\${count.output}"}}
`,
  'judges/length/count.mjs':
    'export function count({ answer }) {\n  if (answer === "") throw new RangeError("nothing to judge");\n  return answer.length;\n}\n',
  'judges/length/nest.mjs': 'export const nest = ({ score, question }) => ({ question, say: String(score) });\n',
  'judges/length/share.mjs':
    'export function share({ scores }, { logMetric }) {\n  logMetric("long", scores.filter((one) => one > 4).length / scores.length);\n  return null;\n}\n',
  // Prefers the longer, and of two as long the first.
  'judges/longer/flow.dag.yaml': `inputs: {one: {type: string}, other: {type: string}}
outputs: {winner: {type: string, reference: "\${pick.output}"}}
nodes:
- ${code('pick', ['one', 'other'])}
`,
  'judges/longer/pick.mjs':
    'export const pick = ({ one, other }) => (one.length >= other.length ? "one" : "Second");\n',
  'ev/rows.jsonl':
    '{"q": "a1", "ref": "xxx"}\n{"q": "b2", "ref": "xxxx"}\n{"q": "c3", "ref": "x"}\n{"q": "d0", "ref": ""}\n',
};

function evaluation(metrics: string): void {
  writeFileSync(join(world.folder, 'ev/eval.yaml'), `flow: ../ask\ndata: rows.jsonl\nmetrics:\n${metrics}`);
}

beforeAll(() => writeFiles(world.folder, flows));
afterAll(() => world[Symbol.dispose]());

async function resultsOf(...argv: readonly string[]) {
  const { stdout, stderr } = await world.flow('eval', 'ev', '--json', ...argv);
  expect(stderr).toBe('');
  return JSON.parse(stdout).metrics;
}

const asked = 'evaluator: flow, flow: ../judges/length, inputs: {question: "${inputs.q}", answer: "${outputs.a}"}';

test.for<[string, string, object, readonly number[]]>([
  ['its score', `{name: m, ${asked}}`, { kind: 'number', summary: { mean: 4, scored: 3, errors: 1 } }, [2, 4, 6]],
  ['a bound', `{name: m, ${asked}, pass_from: 4}`, { kind: 'pass' }, [0, 1, 1]],
  ['a number within an output, as a text', `{name: m, ${asked}, score: "\${outputs.nested.say}"}`, {}, [2, 4, 6]],
  [
    'the value at `on`',
    '{name: m, on: say, evaluator: flow, flow: ../judges/length, as: answer, inputs: {question: "${row.q}"}}',
    { node: 'say' },
    [2, 4, 6],
  ],
  ['a metric it logs', `{name: m, ${asked}, metric: long}`, { summary: { mean: 1 / 3, scored: 3 } }, [2, 4, 6]],
  [
    'the better of two, in both orders',
    '{name: m, on: outputs.a, evaluator: pairwise, expected: "${row.ref}", flow: ../judges/longer, between: [one, other]}',
    { summary: { mean: 0.5, scored: 4 } },
    [0, 0.5, 1, 0.5],
  ],
])('a flow judges: %s', async ([, metric, expected, values]) => {
  evaluation(`- ${metric}\n`);
  const [result] = await resultsOf();
  expect(result).toMatchObject(expected);
  expect(result.scores.values).toEqual(values);
  expect(result.judgedBy).toMatch(/^2026/);
});

test('what a judge logs over all rows has no part in slices, which is told', async () => {
  evaluation(`- {name: logged, ${asked}, metric: long}\n- {name: scored, ${asked}}\n`);
  const { stdout } = await world.flow('eval', 'ev', '--by', 'ref');
  expect(stdout.slice(stdout.indexOf('\nby ref'), stdout.indexOf('\nnext'))).toMatchInlineSnapshot(`
    "
    by ref
      metric  ref   rows  mean  n
      scored  xxx      1     2  1
              xxxx     1     4  1
              x        1     6  1
              none     1     –  0
      logged: one figure over all rows, which slices have no part in
    "
  `);
  evaluation(`- {name: logged, ${asked}, metric: long}\n`);
  expect((await world.flow('eval', 'ev', '--by', 'ref')).stdout).toContain(
    'by ref\n  logged: one figure over all rows, which slices have no part in\n',
  );
});

test('what cannot be judged has no score and says why', async () => {
  evaluation(`- {name: m, ${asked}}\n`);
  const [{ summary }] = await resultsOf();
  expect(summary.unscored).toEqual([
    {
      reason: 'judge failed: ToolExecutionError',
      count: 1,
      rows: [{ line: 3, repeat: 0 }],
      said: 'nothing to judge',
    },
  ]);
});

test('a judge is recorded, apart from other runs, and what it said before is taken', async () => {
  evaluation(`- {name: m, ${asked}}\n- {name: n, ${asked}, pass_from: 4}\n`);
  const [one, other] = await resultsOf('--name', 'base');
  expect(other.judgedBy).toBe(one.judgedBy);
  const { stdout } = await world.flow('show', one.judgedBy, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ rows: { completed: 3, failed: 1, cached: 3 }, metrics: { long: 1 / 3 } });
  expect((await world.flow('runs')).stdout).not.toContain(one.judgedBy);
  const [again] = await resultsOf('--run', 'base', '--no-cache');
  expect(again.scores).toEqual(one.scores);
});

test('the page of a judged evaluation has its scores, why a row has none, and the run in which judges were asked', async () => {
  evaluation(`- {name: m, ${asked}}\n`);
  const { stderr } = await world.flow('eval', 'ev', '--name', 'paged', '--html', 'judged.html', '--quiet');
  expect(stderr).toBe('judged.html written\n');
  const file = join(world.folder, 'judged.html');
  const { metrics, problem } = readExportedEvaluation(file);
  const [score] = metrics[0]?.runs ?? [];
  expect(problem).toBeUndefined();
  expect(score).toMatchObject({
    mean: { value: 4 },
    unscored: [{ reason: 'judge failed: ToolExecutionError', rows: 1, at: [{ line: 3 }], said: 'nothing to judge' }],
    judge: { tokens: { value: 0 } },
  });
  const { answers, rows } = readExport(file);
  const judge = `runs/${score?.judge?.run}`;
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(['runs/paged', judge, `${judge}/rows/3/0`]));
  expect(rows['runs/paged/rows']?.lines.map(({ scores }) => scores['m']?.figure.value)).toEqual([2, 4, 6, null]);
});

test('a model judges: its connection, what it took, and what it costs', async () => {
  const said = (score: number) => ({ message: { role: 'assistant', content: `{"score": ${score}, "why": "so"}` } });
  await using server = await startOpenAiServer(
    [1, 2, 3, 4].map((score) => ({ ...said(score), when: `is ${'abcd'[score - 1]}` })),
  );
  writeFiles(world.folder, {
    'connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${server.url}/v1"}\n`,
    'judges/model/ask.jinja2':
      '# system:\nGive {"score": 1 to 5, "why": "..."}.\n# user:\nThe answer to {{ question }} is {{ answer }}\n',
    'judges/model/flow.dag.yaml': `inputs: {question: {type: string}, answer: {type: string}}
outputs: {said: {type: string, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: gpt-4o, temperature: 0, question: "\${inputs.question}", answer: "\${inputs.answer}"}}
`,
  });
  evaluation(
    '- {name: m, evaluator: flow, flow: ../judges/model, score: "${outputs.said.score}", inputs: {question: "${inputs.q}", answer: "${outputs.a}"}}\n',
  );
  const [result] = await resultsOf('--rows', '0-2');
  expect(result.scores.values).toEqual([1, 2, 3]);
  const [again] = await resultsOf('--rows', '0-2');
  expect([again.scores.values, server.requests.length]).toEqual([[1, 2, 3], 3]);
  const { stdout } = await world.flow('show', result.judgedBy, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ tokens: { total_tokens: 45 } });
});

test('what a judge said is put on a cassette beside that of the flow, and replayed without its service', async () => {
  const said = (score: number) => ({ message: { role: 'assistant', content: `{"score": ${score}}` } });
  const judge = (url: string) =>
    writeFiles(world.folder, {
      'connections.yaml': `mine: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${url}/v1"}\n`,
      'judges/taped/ask.jinja2': '# system:\nGive {"score": 1 to 5}.\n# user:\nThe answer is {{ answer }}\n',
      'judges/taped/flow.dag.yaml': `inputs: {answer: {type: string}}
outputs: {said: {type: string, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: llm, connection: mine, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: gpt-4o, temperature: 0, answer: "\${inputs.answer}"}}
`,
    });
  evaluation(
    '- {name: m, evaluator: flow, flow: ../judges/taped, score: "${outputs.said.score}", inputs: {answer: "${outputs.a}"}}\n',
  );
  const rows = ['--rows', '0-1', '--quiet'];
  {
    await using server = await startOpenAiServer([said(2), said(5)]);
    judge(server.url);
    const [recorded] = await resultsOf(...rows, '--record', 'tapes/ev.yaml');
    expect([recorded.scores.values.toSorted(), server.requests.length]).toEqual([[2, 5], 2]);
  }
  const tape = readFileSync(join(world.folder, 'tapes/ev.judge-taped.yaml'), 'utf8');
  expect(tape).toContain('The answer is a1');
  expect(tape).not.toContain('sk-not-a-real-key');
  const [replayed] = await resultsOf(...rows, '--replay', 'tapes/ev.yaml');
  expect(replayed.scores.values.toSorted()).toEqual([2, 5]);
  writeFiles(world.folder, { 'judges/taped/ask.jinja2': '# user:\nAnother question: {{ answer }}\n' });
  const [missed] = await resultsOf(...rows, '--replay', 'tapes/ev.yaml');
  expect(missed.summary.unscored).toMatchObject([{ reason: 'judge failed: CassetteMiss', count: 2 }]);
  const drifted = await world.flow('eval', 'ev', '--rows', '0-1', '--replay', 'tapes/ev.yaml');
  expect(drifted.stderr).toContain(
    'cassette  tapes/ev.judge-taped.yaml: 0 replayed, 2 not on it, 2 on it not asked for\n',
  );
  expect(drifted.stderr).toContain('Another question: ');
  expect(drifted.stderr.match(/ev\.judge-taped\.yaml/g)).toHaveLength(1);
});

test('one judge is asked with other connections and models, as its metric says, also on a cassette', async () => {
  const verdict = (model: string, score: number) => ({
    message: { role: 'assistant', content: `{"score": ${score}}` },
    when: `"model":"${model}"`,
  });
  await using server = await startOpenAiServer(
    [1, 1, 2, 2].map((score) => verdict(score === 1 ? 'gpt-4o' : 'small', score)),
  );
  writeFiles(world.folder, {
    'connections.yaml': `theirs: {type: open_ai, api_key: sk-not-a-real-key, base_url: "${server.url}/v1"}\n`,
    'judges/chosen/ask.jinja2': '# system:\nGive {"score": 1 to 5}.\n# user:\nThe answer is {{ answer }}\n',
    'judges/chosen/flow.dag.yaml': `inputs: {answer: {type: string}}
outputs: {said: {type: string, reference: "\${ask.output}"}}
nodes:
- {name: ask, type: llm, connection: not_here, api: chat, source: {type: code, path: ask.jinja2}, inputs: {model: gpt-4o, temperature: 0, answer: "\${inputs.answer}"}}
`,
  });
  const judge =
    'evaluator: flow, flow: ../judges/chosen, score: "${outputs.said.score}", inputs: {answer: "${outputs.a}"}';
  evaluation(
    `- {name: one, ${judge}, connections: {ask: {connection: theirs}}}\n- {name: other, ${judge}, connections: {ask: {connection: theirs, model: small}}}\n`,
  );
  const rows = ['--rows', '0-1', '--quiet'];
  for (const tape of ['--record', '--replay']) {
    const results = await resultsOf(...rows, tape, 'tapes/chosen.yaml');
    expect(results.map(({ scores }: { scores: { values: unknown } }) => scores.values)).toEqual([
      [1, 1],
      [2, 2],
    ]);
    expect(results[0].judgedBy).not.toBe(results[1].judgedBy);
  }
});

test('what a judge says in the place of a score or a winner is told', async () => {
  evaluation(`- {name: m, evaluator: flow, flow: ../judges/length, inputs: {question: "", answer: "\${outputs.a}"}, score: "\${outputs.nested}", gate: {min: 1}}
- {name: p, evaluator: pairwise, on: outputs.a, expected: x, flow: ../judges/length, inputs: {}, between: [question, answer], winner: "\${outputs.score}"}
- {name: t, evaluator: flow, flow: ../judges/length, inputs: {question: "", answer: "\${outputs.a}"}, metric: longer}
`);
  const { stdout, code } = await world.flow('eval', 'ev', '--rows', '2', '--quiet');
  const told = stdout.slice(stdout.indexOf('without a score'), stdout.indexOf('judged in'));
  expect([code, told]).toEqual([
    1,
    `without a score
  m  1 the judge gave no number (row 2): {"question":"","say":"6"}
  p  1 the judge names no winner (row 2): 6
  t  1 the judge logged no number as longer: it logged long

`,
  ]);
});

test('interrupted while judges are asked, nothing is told', async () => {
  evaluation(`- {name: m, ${asked}}\n`);
  await world.flow('eval', 'ev', '--name', 'run', '--quiet');
  using stopped = createTestWorld({ folder: world.folder, signal: AbortSignal.abort() });
  const { code, stdout, stderr } = await stopped.flow('eval', 'ev', '--run', 'run', '--no-cache');
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([130, '', 'error: stopped while judges were asked']);
});

test('attempts at a row: the chance that one of k passes, and that all do', async () => {
  evaluation(
    `- {name: m, ${asked}, pass_from: 4}\n- {name: any, evaluator: pass@2, of: m}\n- {name: all, evaluator: pass_all@2, of: m}\n- {name: more, evaluator: pass@3, of: m}\n`,
  );
  const [m, any, all, more] = await resultsOf('--repeat', '2');
  expect(m.scores.values).toEqual([0, 0, 1, 1, 1, 1]);
  expect(any).toMatchObject({
    evaluator: 'pass@2',
    summary: { mean: 2 / 3, scored: 3 },
    scores: { values: [0, 1, 1] },
  });
  expect(all.scores).toMatchObject({ lines: [0, 1, 2], values: [0, 1, 1] });
  expect(more.summary).toMatchObject({
    mean: null,
    errors: 2,
    unscored: [
      { reason: 'fewer than 3 attempts (--repeat 3)', count: 3 },
      { reason: 'judge failed: ToolExecutionError', count: 2 },
    ],
  });
});

test.for([
  [
    '{name: m, evaluator: flow, flow: ../judges/length, inputs: {question: "${inputs.q}"}}',
    'ev/eval.yaml:4:36 error EVAL_PARAMETER the judge of metric "m" needs answer',
  ],
  [
    '{name: m, evaluator: flow, flow: ../judges/length, inputs: {question: "", answer: "", tone: ""}}',
    'ev/eval.yaml:4:89 error EVAL_PARAMETER the judge of metric "m" has no input "tone"',
  ],
  [
    '{name: m, evaluator: flow, flow: ../judges/lenght, inputs: {}}',
    'ev/eval.yaml:4:36 error EVAL_SUBJECT there is no file or folder ../judges/lenght',
  ],
  [
    '{name: m, evaluator: flow, flow: ../judges/length, inputs: {question: "", answer: "${outputs.b}"}}',
    'ev/eval.yaml:4:85 error EVAL_UNKNOWN_OUTPUT the flow has no output "b"',
  ],
  [
    '{name: m, evaluator: flow, flow: ../judges/length, score: answer, inputs: {}}',
    'ev/eval.yaml:4:61 error EVAL_PARAMETER "score" of metric "m" must be an output of the judge: ${outputs.score}',
  ],
  [
    `{name: m, evaluator: pass@2, of: n}`,
    'ev/eval.yaml:4:36 error EVAL_PARAMETER metric "m" is of "n", and there is no such metric',
  ],
] as const)('%s is refused before anything runs', async ([metric, error]) => {
  evaluation(`- ${metric}\n`);
  const { code, stdout, stderr } = await world.flow('eval', 'ev', '--name', 'never');
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', error]);
});
