// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of eval.yaml look like templates
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalResult } from '@unroll/evals';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';

const project = join(import.meta.dirname, '../../../..');
const world = createTestWorld();
const few = '0-3,31,50,58';
const flow = 'agent/flow.python.dag.yaml';

beforeAll(async () => {
  cpSync(join(project, 'flows/privacy-agent'), join(world.folder, 'agent'), { recursive: true });
  const { stderr } = await world.flow(
    'run',
    flow,
    '--data',
    'agent/data.jsonl',
    '--rows',
    few,
    '--name',
    'few',
    '--quiet',
  );
  expect(stderr).toBe('');
}, 60_000);
afterAll(() => world[Symbol.dispose]());

function writeEval(name: string, text: string): string {
  mkdirSync(join(world.folder, name), { recursive: true });
  writeFileSync(join(world.folder, name, 'eval.yaml'), text);
  return name;
}

const metrics = `
metrics:
- {name: first, on: "agent_1.tool_calls[0].function.name", evaluator: equals, expected: "\${row.expected.first_function}", gate: {min: 0.9}}
- {name: faq, on: "function_1.function_results[-1].content", evaluator: recall@5, expected: "\${row.expected.faq_id}"}
- {name: turn, on: "function[*]", evaluator: finished_at}
- {name: finished, on: "function[*].finished", evaluator: equals, expected: true}
- {name: empty, on: outputs.answer, evaluator: not_equals, expected: ""}
- {name: polite, on: outputs.answer, evaluator: regex, pattern: です, gate: {min: 1}}
`;

test('a run that is there is scored: a table for people, exit 1 for a gate that is not met', async () => {
  const folder = writeEval('few-eval', `flow: ../${flow}\ndata: ../agent/data.jsonl\n${metrics}`);
  const { code, stdout, stderr } = await world.flow('eval', folder, '--run', 'few');
  expect(stderr).toBe('');
  expect(stdout).toMatchInlineSnapshot(`
    "few-eval  few  7 rows

    metric    on                                       evaluator      mean  95 %              n  unscored  gate
    first     agent_1.tool_calls[0].function.name      equals        100 %  64.6 % – 100 %    7            ✓ min 0.9
    faq       function_1.function_results[-1].content  recall@5          1  0.51 – 1          4         3
    turn      function[*]                              finished_at   2.143  1.474 – 2.754     7
    finished  function[*].finished                     equals       61.9 %  41.5 % – 84.2 %  21
    empty     outputs.answer                           not_equals    100 %  64.6 % – 100 %    7
    polite    outputs.answer                           regex        85.7 %  48.7 % – 97.4 %   7            ✗ min 1

    without a score
      faq  3 no expectation

    function by iteration
      iteration  ran  finished  right by now  gain  tokens  for each more right
      1            7         1             1    +1   3,236         3,236 tokens
      2            6         4             5    +4   6,770         1,693 tokens
      3            2         2             7    +2   2,548         1,274 tokens
      stopped right 7, too early 0, too late 0, never 0
      recommended times: 3

    went wrong first at
      outputs.answer  polite  1 row: 50
        got Nothing that answers the question was found in the sources that were …
        flow show few --row 50

    ✗ 1 of 2 gates fails: polite.
      polite  min 1: the mean of 7 scores is 0.8571, below 1
    next  flow show few
    "
  `);
  expect(code).toBe(1);
});

test('scores are columns, those of a family by iteration too', async () => {
  const { stdout } = await world.flow('eval', 'few-eval', '--run', 'few', '--json', '--out', 'out');
  const result = JSON.parse(stdout) as EvalResult;
  expect(JSON.parse(readFileSync(join(world.folder, 'out/eval.json'), 'utf8'))).toEqual(result);
  const turn = result.metrics.find(({ name }) => name === 'turn');
  expect(turn?.scores).toEqual({
    lines: [0, 1, 2, 3, 31, 50, 58],
    repeats: [0, 0, 0, 0, 0, 0, 0],
    values: [2, 2, 2, 2, 3, 3, 1],
  });
  const finished = result.metrics.find(({ name }) => name === 'finished');
  expect(finished?.iterations?.map(({ iteration, mean, scored }) => [iteration, mean, scored])).toEqual([
    [1, 1 / 7, 7],
    [2, 5 / 7, 7],
    [3, 1, 7],
  ]);
});

test('without a run the flow is run over the data, and can be scored again', async () => {
  const folder = writeEval('whole-eval', `name: whole\nflow: ../${flow}\ndata: ../agent/data.jsonl\n${metrics}`);
  const { code, stdout } = await world.flow('eval', folder, '--rows', '0-1', '--name', 'anew', '--json');
  const result = JSON.parse(stdout) as EvalResult;
  expect([code, result.name, result.run.id, result.rows.total]).toEqual([0, 'whole', 'anew', 2]);
  const again = JSON.parse((await world.flow('eval', folder, '--run', 'anew', '--json')).stdout) as EvalResult;
  expect(again).toEqual(result);
});

test('a run of another flow is scored, and told to be one', async () => {
  const other = writeEval('other-eval', `flow: ../other/flow.dag.yaml\ndata: ../agent/data.jsonl\n${metrics}`);
  cpSync(join(world.folder, 'agent'), join(world.folder, 'other'), { recursive: true });
  const { stderr } = await world.flow('eval', other, '--run', 'few', '--json');
  expect(stderr).toContain(
    `eval.yaml:1:7 warning EVAL_SUBJECT run few is one of flow ${flow}, not of this flow; it is scored all the same`,
  );
  expect(stderr).toContain('flow: ../other/flow.dag.yaml');
});

test('data that are not those of the run are not scored against it', async () => {
  const text = readFileSync(join(world.folder, 'agent/data.jsonl'), 'utf8');
  writeFileSync(join(world.folder, 'agent/moved.jsonl'), text.split('\n').slice(1).join('\n'));
  const folder = writeEval('moved-eval', `flow: ../${flow}\ndata: ../agent/moved.jsonl\n${metrics}`);
  const result = JSON.parse((await world.flow('eval', folder, '--run', 'few', '--json')).stdout) as EvalResult;
  expect(result.metrics[0]?.summary).toMatchObject({
    mean: null,
    scored: 0,
    unscored: [{ reason: 'other inputs than in the data', count: 7 }],
    errors: 7,
  });
});

test('every mistake of an evaluation is told at once, with its place', async () => {
  const folder = writeEval(
    'bad-eval',
    `flow: ../${flow}
data: ../agent/data.jsonl
seeds: 3
metrics:
- {name: first, on: agent1.function_call.name, evaluator: equals}
- {name: turn, on: agent, evaluator: steps_used}
- {name: right, on: outputs.anwser, evaluator: equal, expected: "\${row.expected.status}"}
- {name: found, on: "function_1.function_results[last]", evaluator: recal@5, expected: "\${row.expected.faq_ids}"}
- {name: near, on: outputs.answer, evaluator: number, tolerence: 1, relative: lots, expected: 3}
- {name: turn, on: "agent[*]", evaluator: steps_used, expected: 3, gate: {mim: 1}}
- {on: outputs.answer, evaluator: regex, pattern: "(", gate: {min: 2, max: 1}}
- {name: whole, evaluator: word_f1, expected: "\${row.answer}"}
`,
  );
  const { code, stdout, stderr } = await world.flow('eval', folder);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatchInlineSnapshot(`
    "bad-eval/eval.yaml:3:1 error EVAL_UNKNOWN_KEY unknown key "seeds"
        seeds: 3
        ~~~~~
        help: did you mean "seed"?
    bad-eval/eval.yaml:5:21 error EVAL_UNKNOWN_NODE the flow has no node "agent1"
        - {name: first, on: agent1.function_call.name, evaluator: equals}
                            ~~~~~~~~~~~~~~~~~~~~~~~~~
        help: did you mean "agent_1"?
    bad-eval/eval.yaml:6:20 error EVAL_UNKNOWN_NODE the flow has no node "agent"
        - {name: turn, on: agent, evaluator: steps_used}
                           ~~~~~
        help: "agent" is laid out by a loop: write agent[*], or one of its turns
    bad-eval/eval.yaml:7:21 error EVAL_UNKNOWN_OUTPUT the flow has no output "anwser"
        - {name: right, on: outputs.anwser, evaluator: equal, expected: "\${row.expected.status}"}
                            ~~~~~~~~~~~~~~
        help: did you mean "answer"?
    bad-eval/eval.yaml:7:48 error EVAL_UNKNOWN_EVALUATOR unknown evaluator "equal"
        - {name: right, on: outputs.anwser, evaluator: equal, expected: "\${row.expected.status}"}
                                                       ~~~~~
        help: did you mean "equals"?
    bad-eval/eval.yaml:8:21 error EVAL_TARGET "on" of metric "found" cannot be read: "function_1.function_results[last]"
        - {name: found, on: "function_1.function_results[last]", evaluator: recal@5, expected: "\${row.expected.faq_ids}"}
                            ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
        help: for instance outputs.answer, agent_1.function_call.name, hits[-1].id, function[*]
    bad-eval/eval.yaml:8:69 error EVAL_UNKNOWN_EVALUATOR unknown evaluator "recal@5"
        - {name: found, on: "function_1.function_results[last]", evaluator: recal@5, expected: "\${row.expected.faq_ids}"}
                                                                            ~~~~~~~
        help: did you mean "recall@5"?
    bad-eval/eval.yaml:8:88 error EVAL_UNKNOWN_COLUMN no row of the data has row.expected.faq_ids
        - {name: found, on: "function_1.function_results[last]", evaluator: recal@5, expected: "\${row.expected.faq_ids}"}
                                                                                               ~~~~~~~~~~~~~~~~~~~~~~~~~
        help: did you mean "faq_id"?
    bad-eval/eval.yaml:9:55 error EVAL_PARAMETER number has no parameter "tolerence" (metric "near")
        - {name: near, on: outputs.answer, evaluator: number, tolerence: 1, relative: lots, expected: 3}
                                                              ~~~~~~~~~
        help: did you mean "tolerance"?
    bad-eval/eval.yaml:9:79 error EVAL_PARAMETER "relative" of metric "near" must be a number, not "lots"
        - {name: near, on: outputs.answer, evaluator: number, tolerence: 1, relative: lots, expected: 3}
                                                                                      ~~~~
    bad-eval/eval.yaml:10:10 error EVAL_DUPLICATE_METRIC two metrics are called "turn"
        - {name: turn, on: "agent[*]", evaluator: steps_used, expected: 3, gate: {mim: 1}}
                 ~~~~
        bad-eval/eval.yaml:6:10 note: the first one
    bad-eval/eval.yaml:10:55 error EVAL_PARAMETER steps_used takes no "expected" (metric "turn")
        - {name: turn, on: "agent[*]", evaluator: steps_used, expected: 3, gate: {mim: 1}}
                                                              ~~~~~~~~
        help: remove it, or choose another evaluator
    bad-eval/eval.yaml:10:75 error EVAL_GATE unknown key "mim" in "gate" of metric "turn"
        - {name: turn, on: "agent[*]", evaluator: steps_used, expected: 3, gate: {mim: 1}}
                                                                                  ~~~
        help: did you mean "min"?
    bad-eval/eval.yaml:11:3 error EVAL_MISSING_KEY metric 7 lacks the key "name"
        - {on: outputs.answer, evaluator: regex, pattern: "(", gate: {min: 2, max: 1}}
          ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    bad-eval/eval.yaml:11:51 error EVAL_PARAMETER "pattern" of metric 7 must be a regular expression: unterminated group
        - {on: outputs.answer, evaluator: regex, pattern: "(", gate: {min: 2, max: 1}}
                                                          ~~~
    bad-eval/eval.yaml:11:68 error EVAL_GATE the gate of metric 7 cannot be met: min 2 is above max 1
        - {on: outputs.answer, evaluator: regex, pattern: "(", gate: {min: 2, max: 1}}
                                                                           ~
    bad-eval/eval.yaml:12:3 error EVAL_MISSING_KEY metric "whole" lacks the key "on"
        - {name: whole, evaluator: word_f1, expected: "\${row.answer}"}
          ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
        help: for instance outputs.answer; only latency, tokens and cost measure the row as a whole
    bad-eval/eval.yaml:12:47 error EVAL_UNKNOWN_COLUMN no row of the data has row.answer
        - {name: whole, evaluator: word_f1, expected: "\${row.answer}"}
                                                      ~~~~~~~~~~~~~~~
        help: there are query, expected
    18 errors
    "
  `);
});

test.for([
  ['eval', 'nowhere'],
  ['eval', 'agent'],
  ['eval', 'few-eval', '--run', 'none'],
])('flow %s %s: what is not there is named', async (argv) => {
  const { code, stderr } = await world.flow(...argv);
  expect(code).toBe(2);
  expect(stderr.replaceAll(world.folder, '.')).toMatchSnapshot();
});

test('evaluators of ours in Python, TypeScript and by embeddings', async () => {
  const folder = writeEval(
    'own-eval',
    `flow: ../${flow}
data: ../agent/data.jsonl
metrics:
- {name: polite, on: outputs.answer, evaluator: ./polite.py, gate: {min: 0.5}}
- {name: long, on: outputs.answer, evaluator: ./long.ts, least: 40}
- {name: turns, on: "agent[*]", evaluator: ./turns.py, expected: "\${row.expected.answered_at}"}
- {name: near, on: inputs.query, evaluator: embedding_similarity, expected: "\${row.query}"}
- {name: price, evaluator: cost}
`,
  );
  const write = (name: string, text: string): void => writeFileSync(join(world.folder, folder, name), text);
  write('polite.py', 'def polite(value):\n    return value.endswith("。）") or "です" in value\n');
  write('long.ts', 'export default ({ value, least }: { value: string; least: number }) => value.length / least;\n');
  write(
    'turns.py',
    'def turns(turns, expected):\n    if expected == 1:\n        return {"score": None, "reason": "a greeting"}\n    return {"score": len(turns) - expected}\n',
  );
  const { stdout, stderr } = await world.flow('eval', folder, '--run', 'few', '--json');
  expect(stderr).toBe('');
  const { metrics } = JSON.parse(stdout) as EvalResult;
  expect(metrics.map(({ name, kind, summary }) => [name, kind, summary.mean, summary.unscored])).toEqual([
    ['polite', 'pass', 6 / 7, []],
    ['long', 'number', expect.closeTo(3.7, 0), []],
    ['turns', 'number', 0, [{ reason: 'a greeting', count: 1 }]],
    ['near', 'number', expect.closeTo(1, 5), []],
    ['price', 'number', 0, []],
  ]);
});

test('an evaluator of ours that asks for what is expected has it, or says that it has not', async () => {
  const folder = writeEval(
    'asking-eval',
    `flow: ../${flow}\ndata: ../agent/data.jsonl\nmetrics:\n- {name: own, on: outputs.answer, evaluator: ./own.ts}\n`,
  );
  const file = join(world.folder, folder, 'own.ts');
  writeFileSync(
    file,
    'export default ({ value, expected }: { value: string; expected: string }) => value === expected;\n',
  );
  const lacking = await world.flow('eval', folder, '--run', 'few');
  expect(lacking).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no row of the data has row.expected.answer'),
  });
  writeFileSync(
    file,
    'export default ({ value, expected }: { value: string; expected?: string }) => value === expected;\n',
  );
  expect((await world.flow('eval', folder, '--run', 'few')).code).toBe(0);
  writeFileSync(file, 'export default (value: string) => value.length;\n');
  expect((await world.flow('eval', folder, '--run', 'few')).stderr).toContain(
    'warning: the evaluator ./own.ts: the function takes "value" for one input, and is handed an object of all inputs: write ({ value }: { value: string })\n',
  );
});

test('a run that is named needs no data; the flow does', async () => {
  const text = `flow: ../${flow}\nmetrics:\n- {name: polite, on: outputs.answer, evaluator: regex, pattern: です}\n`;
  const folder = writeEval('no-data-eval', text);
  const scored = JSON.parse((await world.flow('eval', folder, '--run', 'few', '--json')).stdout) as EvalResult;
  expect(scored.metrics.map(({ name, scores }) => [name, scores?.values.length])).toEqual([['polite', 7]]);
  const { code, stderr } = await world.flow('eval', folder);
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no data to run the flow over')]);
});

test('an evaluator of ours that does not come to an end is an error of its row', async () => {
  const folder = writeEval(
    'slow-eval',
    `flow: ../${flow}
data: ../agent/data.jsonl
metrics:
- {name: own, on: outputs.answer, evaluator: ./slow.ts, timeout: 0.01}
`,
  );
  const text =
    'export default async ({ value }: { value: string }) => (value.includes("faq") ? 1 : await new Promise(() => {}));\n';
  writeFileSync(join(world.folder, folder, 'slow.ts'), text);
  const { metrics } = JSON.parse((await world.flow('eval', folder, '--run', 'few', '--json')).stdout) as EvalResult;
  const [own] = metrics;
  expect((own?.summary.errors ?? 0) + (own?.summary.scored ?? 0)).toBe(7);
  expect(own?.summary.unscored).toEqual([
    {
      reason: 'the evaluator failed',
      count: own?.summary.errors,
      rows: expect.any(Array),
      said: "NodeTimeout: node './slow.ts' ran longer than its time limit of 0.01 s",
    },
  ]);
});

test('an evaluator of ours that fails says so in every row, one that cannot be loaded ends the evaluation', async () => {
  const metric = (file: string): string =>
    `flow: ../${flow}\ndata: ../agent/data.jsonl\nmetrics:\n- {name: own, on: outputs.answer, evaluator: ./${file}, strict: true}\n`;
  const folder = writeEval('failing-eval', metric('fails.py'));
  const file = join(world.folder, folder, 'fails.py');
  writeFileSync(file, 'def fails(value, strict):\n    raise ValueError("not today")\n');
  const failing = JSON.parse((await world.flow('eval', folder, '--run', 'few', '--json')).stdout) as EvalResult;
  expect(failing.metrics[0]?.summary).toMatchObject({ mean: null, errors: 7 });
  expect(failing.metrics[0]?.summary.unscored).toEqual([
    {
      reason: 'the evaluator failed',
      count: 7,
      rows: expect.any(Array),
      said: 'ValueError: not today (fails.py:2 in fails)',
    },
  ]);
  const raised = 'def fails(value, strict):\n    try:\n        {}["k"]\n    except KeyError as error:\n';
  writeFileSync(file, `${raised}        raise ValueError("not today") from error\n`);
  const from = JSON.parse((await world.flow('eval', folder, '--run', 'few', '--json')).stdout) as EvalResult;
  expect(from.metrics[0]?.summary.unscored[0]?.said).toBe(
    "ValueError: not today (fails.py:5 in fails) — from KeyError: 'k'",
  );
  writeFileSync(file, 'def fails(value, strict):\n    return f"{strict}"\n');
  const texts = JSON.parse((await world.flow('eval', folder, '--run', 'few', '--json')).stdout) as EvalResult;
  expect(texts.metrics[0]?.summary.unscored).toMatchObject([
    { reason: 'the evaluator gave neither a number nor true, false or null', count: 7, said: '"True"' },
  ]);
  writeFileSync(file, 'def one(value, strict):\n    return 1\ndef other(value, strict):\n    return 1\n');
  expect((await world.flow('eval', folder, '--run', 'few')).stderr).toContain(
    "An evaluator's file has one function; the names of its helpers begin with _, or it is marked with @tool.\n",
  );
  writeFileSync(file, 'def fails(value, strict:\n');
  const broken = await world.flow('eval', folder, '--run', 'few');
  expect([broken.code, broken.stderr.split(':').slice(0, 2)]).toEqual([
    2,
    ['error', ' the evaluator ./fails.py cannot be loaded'],
  ]);
  writeFileSync(file, 'def fails(value):\n    return 1\n');
  expect((await world.flow('eval', folder, '--run', 'few')).stderr).toContain(
    './fails.py has no parameter "strict" (metric "own")',
  );
});
