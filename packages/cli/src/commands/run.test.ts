import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countingWorld } from '../testing/counting-flow.ts';
import { createTestWorld, withoutTimes } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

test('a run for people: a line a node, iterations grouped, bypassed nodes, the outputs, the record', async () => {
  using world = countingWorld();
  const { code, stdout, stderr } = await world.flow('run', 'counting', '--input', 'goal=2');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "✓ start     python # ms  {finished: false, goal: 2, reached: 0}
      count 1/3
      ✓ look_1  python # ms  2
      ✓ step_1  python # ms  {finished: false, goal: 2, reached: 1}
      count 2/3
      ✓ look_2  python # ms  1
      ✓ step_2  python # ms  2
      count 3/3
      - look_3  python  bypassed
      ✓ step_3  python # ms  2
    ✓ count     python # ms  answered: 2
    ✓ say       python # ms  合計: 2 (answered)

    result
      合計: 2
      (answered)

    completed in # ms, 8 nodes ran, 1 bypassed
    record  .flow/runs/20261121-064500-counting-0000.run
    next    flow show 20261121-064500-counting-0000
    "
  `);
});

test('a loop that reaches its bound ends unfinished, with its own exit code', async () => {
  using world = countingWorld();
  const { code, stdout } = await world.flow('run', 'counting', '--input', 'goal=9');
  expect(code).toBe(3);
  expect(stdout).toContain('result\n  合計: null\n  (unfinished)\n\nunfinished: count reached its bound');
  const json = JSON.parse((await world.flow('run', 'counting', '--input', 'goal=9', '--json')).stdout);
  expect(json).toMatchObject({ status: 'Unfinished', outputs: { result: '合計: null\n(unfinished)' }, error: null });
});

test('a node that fails is told with its kind and place, without a stack', async () => {
  using world = countingWorld();
  const { code, stdout, stderr } = await world.flow('run', 'counting', '--input', 'goal=-1');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
    "✓ start     python # ms  {finished: false, goal: -1, reached: 0}
      count 1/3
      ✗ look_1  python # ms  RangeError: no way down from 0

    node look_1 failed: RangeError  (counting/flow.dag.yaml:30)
      no way down from 0
      at look.ts:2 in look
      Trying again will not help before something is changed.

    failed in # ms, 2 nodes ran, 7 not run
    record  .flow/runs/20261121-064500-counting-0000.run
    next    flow show 20261121-064500-counting-0000 --node look_1
    "
  `);
});

test('--json prints one object', async () => {
  using world = countingWorld();
  const { code, stdout, stderr } = await world.flow('run', 'counting', '--input', 'goal=1', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const result = JSON.parse(stdout);
  expect(Object.keys(result)).toEqual(['status', 'outputs', 'nodes', 'metrics', 'error', 'run_id', 'record']);
  expect(result).toMatchObject({
    status: 'Completed',
    outputs: { result: '合計: 1\n(answered)' },
    metrics: {},
    error: null,
    run_id: '20261121-064500-counting-0000',
    record: '.flow/runs/20261121-064500-counting-0000.run',
  });
  expect(Object.entries(result.nodes).map(([name, node]) => `${name} ${(node as { status: string }).status}`)).toEqual([
    'start Completed',
    'look_1 Completed',
    'step_1 Completed',
    'look_2 Bypassed',
    'step_2 Completed',
    'look_3 Bypassed',
    'step_3 Completed',
    'count Completed',
    'say Completed',
  ]);
  expect(result.nodes.look_1).toEqual({
    status: 'Completed',
    inputs: { state: { finished: false, goal: 1, reached: 0 } },
    output: 1,
    error: null,
    duration_ms: expect.any(Number),
    tokens: null,
  });
});

test('--json of a failure: what failed, what was not run', async () => {
  using world = countingWorld();
  const { code, stdout } = await world.flow('run', 'counting', '--input', 'goal=-1', '--json');
  const result = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(result.status).toBe('Failed');
  expect(result.error).toMatchObject({ code: 'ToolExecutionError', node: 'look_1' });
  expect(result.error.message).toContain('no way down from 0');
  expect(result.nodes.look_1.status).toBe('Failed');
  expect(result.nodes.say).toEqual({
    status: 'NotRun',
    inputs: null,
    output: null,
    error: null,
    duration_ms: null,
    tokens: null,
  });
});

test('--json of a failure tells what it was raised from, of a row as of rows', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml':
      'inputs: {a: {type: int}}\nnodes: [{name: n, type: python, source: {type: code, path: n.ts}, inputs: {a: "${inputs.a}"}}]\n',
    'f/n.ts': "export function n(): never { throw new TypeError('no', { cause: new RangeError('far') }); };\n",
    'rows.jsonl': '{"a": 1}\n',
  });
  const { stdout } = await world.flow('run', 'f', '--input', 'a=1', '--json');
  const cause = { code: 'TypeError', message: 'no', from: ['RangeError: far'] };
  const error = { node: 'n', retryable: false, cause };
  expect(JSON.parse(stdout)).toMatchObject({ error, nodes: { n: { error } } });
  const rows = (await world.flow('run', 'f', '--data', 'rows.jsonl', '--json')).stdout.split('\n');
  expect(JSON.parse(rows[1] ?? '')).toMatchObject({ event: 'row-ended', error });
});

test('an interrupt stops the row, records what was done and exits 130', async () => {
  const controller = new AbortController();
  const interruptOnce = (text: string): void => {
    if (text.includes('✓ start')) setImmediate(() => controller.abort());
  };
  using world = countingWorld({ signal: controller.signal, onStdout: interruptOnce });
  const { code, stdout } = await world.flow('run', 'counting', '--input', 'goal=99');
  expect(code).toBe(130);
  expect(stdout).toContain('stopped in');
  expect(JSON.parse((await world.flow('show', '--json')).stdout)).toMatchObject({
    status: 'Canceled',
    nodes: { start: { status: 'Completed' }, look_1: { status: 'Canceled' }, say: { status: 'NotRun' } },
  });
});

test('all missing inputs at once, with how to give them', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'two/flow.dag.yaml': `inputs: {first: {type: string, description: what to say}, second: {type: list}}
outputs: {a: {type: string, reference: "\${inputs.first}"}, b: {type: list, reference: "\${inputs.second}"}}
nodes: []
`,
  });
  expect(await world.flow('run', 'two', '--input', 'frist=1')).toEqual({
    code: 2,
    stdout: '',
    stderr: `warning: there is no input "frist": did you mean "first"?
error: the inputs "first", "second" are missing
Give them with
  --input "first=…" (string) what to say
  --input "second=…" (list)
or all at once with --inputs FILE (JSON).
`,
  });
});

test('inputs from files: JSON, the first line of JSONL, a text with @', async () => {
  using world = countingWorld();
  writeFiles(world.folder, { 'in.json': '{"goal": 1}', 'in.jsonl': '{"goal": "2"}\n{"goal": 3}\n', 'label.txt': '数' });
  const resultOf = async (...argv: readonly string[]): Promise<string> =>
    JSON.parse((await world.flow('run', 'counting', '--json', ...argv)).stdout).outputs.result;
  expect(await resultOf('--inputs', 'in.json')).toBe('合計: 1\n(answered)');
  expect(await resultOf('--inputs', 'in.jsonl', '--input', 'label=@label.txt')).toBe('数: 2\n(answered)');
});

test('one node alone, with given inputs or those of a run', async () => {
  using world = countingWorld();
  const argv = ['run', 'counting', '--node', 'say'];
  writeFiles(world.folder, { 'in.json': '{"count": {"status": "x", "answer": "7"}}' });
  const said = await world.flow(...argv, '--inputs', 'in.json', '--input', 'label=n');
  expect(withoutTimes(said.stdout)).toBe(
    '✓ say       python # ms  n: 7 (x)\n\n  n: 7\n  (x)\n\nrecord  .flow/runs/20261121-064500-counting-0000.run\n',
  );
  await world.flow('run', 'counting', '--input', 'goal=1');
  const again = await world.flow(...argv, '--from', 'latest', '--input', 'label=もう一度', '--json');
  expect(JSON.parse(again.stdout).nodes.say.output).toBe('もう一度: 1\n(answered)');
  expect(await world.flow(...argv)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('node "say" needs "count"'),
  });
  expect((await world.flow('run', 'counting', '--node', 'sey')).stderr).toBe(
    'error: the flow has no node "sey"\ndid you mean "say"?\n',
  );
});

test('inputs of one node: by type where the flow or the code says it, else JSON, else text; by reference too', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {n: {type: int}, s: {type: string}}
outputs: {o: {type: string, reference: "\${kinds.output}"}}
nodes:
  - {name: src, type: python, source: {type: code, path: src.ts}, inputs: {}}
  - name: kinds
    type: python
    source: {type: code, path: kinds.ts}
    inputs: {n: "\${inputs.n}", s: "\${inputs.s}", a: "\${src.output.deep['k']}", b: "\${src.output}"}
  - {name: says, type: python, source: {type: code, path: says.py}, inputs: {text: "\${src.output}", any: "\${src.output}"}}
`,
    'f/says.py': 'from promptflow.core import tool\n@tool\ndef says(text: str, any):\n    return [text, any]\n',
    'f/src.ts': 'export function src() { return { deep: { k: 1 } }; }\n',
    'f/kinds.ts': `export function kinds(given: { n: number; s: string; a: unknown; b: unknown }) {
  return Object.values(given).map((value) => \`\${typeof value} \${JSON.stringify(value)}\`).join(', ');
}
`,
  });
  const outputOf = async (...pairs: readonly string[]): Promise<string> => {
    const argv = pairs.flatMap((pair) => ['--input', pair]);
    return JSON.parse((await world.flow('run', 'f', '--node', 'kinds', '--json', ...argv)).stdout).outputs.output;
  };
  const kinds = 'number 5, string "5", object {"x":[1]}, string "no json"';
  expect(await outputOf('n=5', 's=5', 'a={"x": [1]}', 'b=no json')).toBe(kinds);
  const references = ['inputs.n=5', 'inputs.s=5', `src.output.deep['k']={"x": [1]}`, 'src.output=no json'];
  expect(await outputOf(...references)).toBe(kinds);
  expect(await outputOf('n=6', 'a=1', 'b=2', ...references)).toBe(kinds);
  const says = await world.flow('run', 'f', '--node', 'says', '--json', '--input', 'text={"a": 1}', '--input', 'any=5');
  expect(JSON.parse(says.stdout).nodes.says.output).toEqual(['{"a": 1}', 5]);
  const wrong = await world.flow('run', 'f', '--node', 'kinds', '--input', 'n=five');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("does not match the expected type 'int'") });
  const unknown = await world.flow('run', 'f', '--node', 'kinds', '--input', 'input.n=5');
  expect(unknown.stderr).toContain('warning: node "kinds" has no input "input.n": did you mean "inputs.n"?\n');
});

test('inputs of one node: the flow has its names and defaults for them, and a node over all rows is given lists of one', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {n: {type: int, default: 4}, s: {type: string}, t: {type: string, default: d}}
outputs: {o: {type: string, reference: "\${one.output}"}}
nodes:
  - {name: one, type: python, source: {type: code, path: all.ts}, inputs: {n: "\${inputs.s}", text: "\${inputs.s}", a: "\${inputs.n}", b: 1}}
  - name: over
    type: python
    aggregation: true
    source: {type: code, path: all.ts}
    inputs: {n: "\${inputs.n}", text: "\${inputs.s}", a: "\${one.output}", b: 1}
  - name: last
    type: python
    aggregation: true
    source: {type: code, path: all.ts}
    inputs: {n: "\${over.output}", text: "\${inputs.t}", a: 1, b: 1}
`,
    'f/all.ts':
      'export function all(given: { n: unknown; text: unknown; a: unknown; b: unknown }) { return { ...given }; }\n',
  });
  const outputOf = async (node: string, ...pairs: readonly string[]): Promise<unknown> => {
    const argv = pairs.flatMap((pair) => ['--input', pair]);
    const { stdout } = await world.flow('run', 'f', '--node', node, '--json', ...argv);
    return JSON.parse(stdout).outputs.output;
  };
  expect(await outputOf('one', 's=x', 'n=5')).toEqual({ n: '5', text: 'x', a: 4, b: 1 });
  expect(await outputOf('over', 's=[1]', 'one.output=[2]')).toEqual({ n: [4], text: ['[1]'], a: [[2]], b: 1 });
  expect(await outputOf('last', 'n=[2]')).toEqual({ n: [2], text: ['d'], a: 1, b: 1 });
  writeFiles(world.folder, { 'given.json': '{"s": "x", "a": null}' });
  const { stdout } = await world.flow('run', 'f', '--node', 'one', '--json', '--inputs', 'given.json');
  expect(JSON.parse(stdout).outputs.output).toMatchObject({ a: 4 });
});

test('a failing aggregation node leaves the test completed, is told, and exits 1', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'f/flow.dag.yaml': `inputs: {n: {type: int}}
outputs: {o: {type: int, reference: "\${one.output}"}}
nodes:
  - {name: one, type: python, source: {type: code, path: one.ts}, inputs: {n: "\${inputs.n}"}}
  - {name: sum, type: python, aggregation: true, source: {type: code, path: sum.ts}, inputs: {all: "\${one.output}"}}
`,
    'f/one.ts': 'export function one({ n }: { n: number }) { return n; }\n',
    'f/sum.ts': `export function sum({ all }: { all: number[] }) {
  throw new RangeError(\`only \${all.length}\`);
}
`,
  });
  const { code, stdout } = await world.flow('run', 'f', '--input', 'n=1', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'Completed',
    outputs: { o: 1 },
    error: null,
    nodes: { sum: { status: 'Failed', error: { code: 'ToolExecutionError' } } },
  });
  const told = await world.flow('run', 'f', '--input', 'n=1');
  expect(told.code).toBe(1);
  expect(told.stdout).toContain('node sum failed: RangeError  (f/flow.dag.yaml:5)\n  only 1\n');
  expect(told.stdout).toContain('completed in');
});

test('--output-dir writes outputs and the result', async () => {
  using world = countingWorld();
  const { stdout } = await world.flow('run', 'counting', '--input', 'goal=1', '--json', '--output-dir', 'out');
  const read = (name: string): string => readFileSync(join(world.folder, 'out', name), 'utf8');
  expect(read('run.json')).toBe(stdout);
  expect(JSON.parse(read('outputs.json'))).toEqual({ result: '合計: 1\n(answered)' });
});

test('a flow that cannot load: one object with what Prompt flow would call it, and the diagnostics', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'wrong/flow.dag.yaml': `inputs: {}
outputs: {}
nodes:
  - name: a
    type: python
    source: {type: code, path: a.ts}
    inputs: {x: "\${b.output}"}
`,
    'wrong/a.ts': 'export function a({ x }: { x: string }) { return x; }\n',
  });
  const { code, stdout } = await world.flow('run', 'wrong', '--json');
  expect(code).toBe(2);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ status: 'Failed', outputs: {}, nodes: {}, metrics: {}, run_id: null, record: null });
  expect(result.error.code).toBe('NodeReferenceNotFound');
  expect(result.diagnostics[0]).toMatchObject({ severity: 'error', file: 'wrong/flow.dag.yaml', line: 7 });
  const told = await world.flow('run', 'wrong');
  expect(told).toMatchObject({ code: 2, stdout: '' });
  expect(told.stderr).toContain('wrong/flow.dag.yaml:7:');
});

test.for([
  {
    argv: ['run', 'code:answer'],
    says: 'error: there is no file or folder code:answer\nCode is a flow through a flow.flex.yaml beside it that holds the line "entry: code:answer".\n',
  },
  { argv: ['run', 'countin'], says: 'error: there is no file or folder countin\ndid you mean "counting"?\n' },
  { argv: ['run', 'flow'], says: 'error: there is no file or folder flow\nflow init makes a new flow.\n' },
  {
    argv: ['run', 'q.jsonl'],
    says: 'error: q.jsonl is no flow\nIt holds rows for a flow: flow run FLOW --data q.jsonl\n',
  },
  {
    argv: ['run', 'q.py'],
    says: 'error: q.py is no flow\nCode is a flow through a flow.flex.yaml beside it that holds the line "entry: q:FUNCTION".\n',
  },
  {
    argv: ['run', 'q.jinja2'],
    says: 'error: q.jinja2 is no flow\nA node of a flow names it; flow render q.jinja2 shows what it becomes.\n',
  },
  {
    argv: ['run', 'scored'],
    says: 'error: scored holds no flow.dag.yaml\nIt holds an evaluation: flow eval scored\n',
  },
  { argv: ['run', '.'], says: 'error: . holds no flow.dag.yaml\ndid you mean "counting"?\n' },
  {
    argv: ['run', 'counting', '--input', '質問＝はい'],
    says: 'error: "質問＝はい" is not name=value\nThe sign behind 質問 is a full-width one: write 質問=… with the half-width "=".\n',
  },
  { argv: ['run', 'counting', '-i', 'x'], says: 'error: "x" is not name=value\nFor instance: --input "query=…"\n' },
  {
    argv: ['run', 'counting', '--inputs', 'x=1'],
    says: 'error: --inputs takes a file, not "x=1"\nOne value is given with --input x=…\n',
  },
  { argv: ['run', 'counting', '--inputs', 'none.json'], says: 'error: there is no file none.json\n' },
  {
    argv: ['run', 'counting', '--inputs', 'counting/flow.dag.yml'],
    says: 'error: there is no file counting/flow.dag.yml\ndid you mean "counting/flow.dag.yaml"?\n',
  },
])('flow $argv is refused', async ({ argv, says }) => {
  using world = countingWorld();
  writeFiles(world.folder, { 'q.jsonl': '{}', 'q.py': '', 'q.jinja2': '', 'scored/eval.yaml': '' });
  mkdirSync(join(world.folder, '.flow'));
  expect(await world.flow(...argv)).toEqual({ code: 2, stdout: '', stderr: says });
  const json = JSON.parse((await world.flow(...argv, '--json')).stdout);
  expect(json).toMatchObject({ status: 'Failed', error: { node: null }, run_id: null });
});

test('a folder whose name ends as that of a file of code or data is a flow', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'next.js/flow.dag.yaml': 'nodes: []\n', 'of.jsonl/flow.dag.yaml': 'nodes: []\n' });
  for (const flow of ['next.js', 'of.jsonl/']) expect((await world.flow('check', flow)).code).toBe(0);
});

test('of a folder with two flows both files are named', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, { 'both/flow.dag.yaml': 'nodes: []\n', 'both/flow.flex.yaml': 'entry: code:answer\n' });
  const { stderr } = await world.flow('run', 'both');
  expect(stderr.trim().split('\n').at(-1)).toBe('did you mean "both/flow.dag.yaml" or "both/flow.flex.yaml"?');
});

test('the sample of a prompty stands for columns that the data does not have', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'p.prompty':
      '---\nmodel:\n  configuration: {connection: offline}\nsample: {q: sampled, tone: dry}\n---\nuser:\n{{q}} {{tone}}\n',
    'd.jsonl': '{"q": "one"}\n{"q": "two", "tone": "wet"}\n{"tone": "wry"}\n',
  });
  const ran = await world.flow('run', 'p.prompty', '--data', 'd.jsonl', '--name', 'r', '--json');
  expect(ran).toMatchObject({ code: 0 });
  const rows = (await world.flow('export', 'r')).stdout.trim().split('\n');
  expect(rows.map((row) => JSON.parse(row).inputs)).toEqual([
    { q: 'one', tone: 'dry' },
    { q: 'two', tone: 'wet' },
    { q: 'sampled', tone: 'wry' },
  ]);
});

test('a prompty runs on its sample when no inputs are given', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'ask.prompty': `---
model: {configuration: {connection: offline}}
inputs:
  question: {type: string}
sample: sample.json
---
user:
{{question}}
`,
    'sample.json': '{"question": "What is consent?", "more": 1}',
  });
  const { code, stdout, stderr } = await world.flow('run', 'ask.prompty', '--json');
  expect([code, stderr]).toEqual([0, 'inputs are those of the sample\n']);
  expect(JSON.parse(stdout).nodes.ask.inputs).toEqual({ question: 'What is consent?' });
  const given = await world.flow('run', 'ask.prompty', '--json', '--input', 'question=Hi');
  expect(JSON.parse(given.stdout).nodes.ask.inputs).toEqual({ question: 'Hi' });
});
