import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allOf, createSqliteRunLog, openSqliteRunReader } from '@unroll/engine';
import { expect, test } from 'vitest';
import { bulkWorld, callsOf } from '../testing/bulk-flow.ts';
import { createTestWorld, type Said, type TestWorld, withoutTimes } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const base = ['run', 'double', '--data', 'n.jsonl'];

/** Events of `--json`: all lines but the last, and that one. */
function events({ stdout }: Said) {
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { rows: lines.filter(({ event }) => event === 'row-ended'), first: lines[0], last: lines.at(-1) };
}

async function outputsOf(world: TestWorld, id = 'latest'): Promise<readonly string[]> {
  await using store = openSqliteRunReader(await pathOf(world, id));
  return (await allOf(store.rows())).map(({ line, repeat, status, outputs }) => {
    const place = repeat === undefined ? line : `${line}/${repeat}`;
    return `${place} ${status === 'Completed' ? JSON.stringify(Object.values(outputs)[0]) : status}`;
  });
}

async function pathOf(world: TestWorld, id: string): Promise<string> {
  const listed = JSON.parse((await world.flow('runs', '--json')).stdout) as readonly { readonly id: string }[];
  return join(world.folder, '.flow/runs', `${id === 'latest' ? listed[0]?.id : id}.run`);
}

test('a run over data for people: nodes, failures with a command, metrics, the record, what next', async () => {
  using world = bulkWorld();
  const { code, stdout, stderr } = await world.flow(...base);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '0 s  12 of 12  100 %  1 failed\n' });
  // The columns of times are as wide as the times.
  expect(withoutTimes(stdout).replaceAll(/ +(p50|p95)/g, ' $1')).toMatchInlineSnapshot(`
    "node    completed  failed p50 p95
    double         11       1 # ms # ms
    add            11 # ms # ms
    total           1 # ms # ms

    failures
      double  RangeError  1 row
        no way to double 3
        flow show 20261121-064500-double-0000 --row 3 --node double

    metrics
      sum  137

    completed, 11 rows completed, 1 failed
    record  .flow/runs/20261121-064500-double-0000.run
    next    flow run --retry-failed 20261121-064500-double-0000
            flow show 20261121-064500-double-0000
    "
  `);
});

test('--json: a line a row, then one for the run', async () => {
  using world = bulkWorld();
  const said = await world.flow(...base, '--json');
  expect([said.code, said.stderr]).toEqual([1, '']);
  const { rows, first, last } = events(said);
  const id = '20261121-064500-double-0000';
  expect(first).toEqual({
    event: 'run-started',
    run_id: id,
    record: `.flow/runs/${id}.run`,
    flow: 'double',
    data: 'n.jsonl',
    rows: 12,
  });
  expect(rows).toHaveLength(12);
  expect(rows.find(({ line }) => line === 3)).toMatchObject({
    repeat: 0,
    status: 'Failed',
    error: { code: 'ToolExecutionError', node: 'double' },
  });
  expect(last).toMatchObject({
    event: 'run-ended',
    status: 'Completed',
    rows: { total: 12, completed: 11, failed: 1, canceled: 0 },
    nodes: { double: { completed: 11, failed: 1 }, add: { completed: 11 }, total: { completed: 1 } },
    failures: [{ node: 'double', code: 'RangeError', count: 1, first_row: { line: 3, repeat: 0 } }],
    metrics: { sum: 137 },
    run_id: id,
  });
});

test.for([
  { argv: ['--rows', '0-2,5'], gives: ['0 1', '1 3', '2 5', '5 11'] },
  { argv: ['--rows', '0,1', '--repeat', '2'], gives: ['0 1', '0/1 1', '1 3', '1/1 3'] },
  { argv: ['--rows', '0,1', '--column-mapping', 'n=${data.n}', 'more=100'], gives: ['0 100', '1 102'] },
])('$argv chooses rows and inputs', async ({ argv, gives }) => {
  using world = bulkWorld();
  expect((await world.flow(...base, ...argv, '--quiet')).stdout).toBe('20261121-064500-double-0000\n');
  expect(await outputsOf(world)).toEqual(gives);
});

test('--sample takes the same rows for the same seed', async () => {
  using world = bulkWorld();
  const drawn = async (seed: string): Promise<readonly string[]> => {
    await world.flow(...base, '--sample', '4', '--seed', seed);
    return await outputsOf(world);
  };
  const first = await drawn('1');
  expect(first).toHaveLength(4);
  expect(await drawn('1')).toEqual(first);
  expect(await drawn('2')).not.toEqual(first);
});

test.for([
  {
    argv: [...base, '--column-mapping', 'n=${data.m}'],
    says: "Couldn't find these mapping relations: ${data.m}.",
    help: 'What there is:\n  data: n\n',
  },
  {
    argv: ['run', 'double', '--data', 'named.jsonl', '--column-mapping', 'n=${data.quesiton}'],
    says: "Couldn't find these mapping relations: ${data.quesiton}.",
    help: 'did you mean "${data.question}"?\nWhat there is:\n  data: question\n',
  },
  {
    argv: ['run', 'double', '--data', 'excel.csv'],
    says: "Couldn't find these mapping relations: ${data.n}.",
    help: 'The data has one column, "n;m": save it with commas between its columns, or with tabs as .tsv.\n',
  },
  {
    argv: ['run', 'double', '--data', 'excel.csv', '--column-mapping', 'n=${data.n;n}'],
    says: "Couldn't find these mapping relations: ${data.n;n}.",
    help: 'The data has one column, "n;m": save it with commas between its columns, or with tabs as .tsv.\n',
  },
  {
    argv: ['run', 'double', '--data', 'parted.jsonl'],
    says: "Couldn't find these mapping relations: ${data.n}.",
    help: 'What there is:\n  data: n;m\n',
  },
  { argv: ['run', 'double', '--data', 'm.jsonl'], says: 'there is no file or folder m.jsonl', help: '' },
  {
    argv: ['run', 'double', '--data', 'nn.jsonl'],
    says: 'there is no file or folder nn.jsonl',
    help: 'did you mean "n.jsonl"?',
  },
  { argv: ['run', 'double', '--data', 'empty.jsonl'], says: "Couldn't find any inputs data", help: 'empty.jsonl' },
  { argv: [...base, '--rows', 'x'], says: '--rows takes line numbers from 0', help: '' },
  { argv: [...base, '--concurrency', '0'], says: '--concurrency takes a whole number from 1', help: '' },
  { argv: [...base, '--row-timeout', '-1'], says: '--row-timeout takes seconds, more than 0', help: '' },
  { argv: [...base, '--row-timeout', '0x10'], says: '--row-timeout takes seconds, more than 0', help: '' },
  { argv: [...base, '--budget-cost', ' 5 '], says: '--budget-cost takes a number above 0, not " 5 "', help: '' },
  { argv: [...base, '--limit-rpm', 'fast'], says: '--limit-rpm takes a number from 1', help: '' },
  { argv: [...base, '--limit-tpm', 'ofline=1'], says: 'there is no connection "ofline" to limit', help: '"offline"' },
  { argv: [...base, '--name', '../x'], says: 'a run cannot be called "../x"', help: '' },
  { argv: [...base, '--connections', 'duoble.connection=x'], says: 'there is no node "duoble"', help: 'double' },
  { argv: ['run', '--resume', 'none'], says: 'there are no runs in', help: '' },
  { argv: ['run', 'none', '--data', 'n.jsonl'], says: 'The input for flow cannot be empty in batch mode.', help: '' },
  { argv: [...base, '--input', 'more=5'], says: '--input is for one row', help: '--column-mapping name=value' },
  { argv: [...base, '--node', 'add'], says: '--node is for one row', help: '' },
  { argv: ['run'], says: 'which flow?', help: '' },
])('flow $argv is refused', async ({ argv, says, help }) => {
  using world = bulkWorld();
  writeFiles(world.folder, {
    'empty.jsonl': '',
    'named.jsonl': '{"question": 1}\n',
    'excel.csv': 'n;m\n1;2\n',
    'parted.jsonl': '{"n;m": "1;2"}\n',
    'none/flow.dag.yaml': 'inputs: {}\noutputs: {}\nnodes: []\n',
  });
  const { code, stdout, stderr } = await world.flow(...argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(says);
  expect(stderr).toContain(help);
  expect(callsOf(world.folder)).toEqual([]);
});

test('a broken line in the data is a failed row, the others run', async () => {
  using world = bulkWorld();
  writeFiles(world.folder, { 'broken.jsonl': '{"n": 1}\n{"n": \n{"n": 2}\n' });
  const said = await world.flow('run', 'double', '--data', 'broken.jsonl');
  expect(said.code).toBe(1);
  expect(said.stdout).toContain('the flow  DataLineError  1 row\n    broken.jsonl:2: ');
  expect(await outputsOf(world)).toEqual(['0 3', '1 Failed', '2 5']);
});

test('rows from standard input', async () => {
  using world = bulkWorld({ stdin: '{"n": 5}\n{"n": 6}\n' });
  const said = await world.flow('run', 'double', '--data', '-', '--json');
  expect([said.code, events(said).last.rows]).toMatchObject([0, { total: null, completed: 2 }]);
  expect(await outputsOf(world)).toEqual(['0 11', '1 13']);
});

test.each([
  [['--data-format', 'csv'], 'standard input is read as JSONL in UTF-8, not as csv'],
  [['--encoding', 'cp932'], 'standard input is read as JSONL in UTF-8, not as cp932'],
])('rows from standard input in another form are refused: %j', async (argv, told) => {
  using world = bulkWorld({ stdin: 'n\n5\n' });
  const said = await world.flow('run', 'double', '--data', '-', ...argv);
  const help = 'Write the rows to a file and name it as data.';
  expect([said.code, said.stderr]).toEqual([2, `error: ${told}\n${help}\n`]);
});

test('a code node that hangs is ended by the time limits, the other rows finish', async () => {
  using world = bulkWorld();
  writeFiles(world.folder, { 'hung.jsonl': '{"n": -1}\n{"n": 1}\n' });
  const argv = ['run', 'double', '--data', 'hung.jsonl', '--concurrency', '1'];
  const byRow = await world.flow(...argv, '--row-timeout', '2');
  expect(byRow.code).toBe(1);
  expect(byRow.stdout).toContain('Line 0 execution timeout for exceeding 2 seconds');
  expect(await outputsOf(world)).toEqual(['0 Failed', '1 3']);
  const byNode = await world.flow(...argv, '--timeout', '0.5');
  expect(byNode.stdout).toContain("node 'double' ran longer than its time limit of 0.5 s");
  expect(await outputsOf(world)).toEqual(['0 Failed', '1 3']);
});

test.for([{ more: [] }, { more: ['--allow-failures'] }])(
  'a run whose time is over has failed: $more',
  async ({ more }) => {
    using world = bulkWorld({ environment: { PF_BATCH_TIMEOUT_SEC: '1' } });
    writeFiles(world.folder, { 'hung.jsonl': '{"n": -1}\n{"n": 1}\n' });
    const { code, stderr } = await world.flow('run', 'double', '--data', 'hung.jsonl', '--concurrency', '1', ...more);
    expect(stderr).toContain('The batch run failed due to timeout [1s]. Please adjust the timeout to a higher value.');
    expect(code).toBe(1);
  },
);

test('a variable of Prompt flow that is no number is passed over with a word, and without one where an option goes before it', async () => {
  using world = bulkWorld({
    environment: { PF_WORKER_COUNT: 'many', PF_LINE_TIMEOUT_SEC: '0x10', PF_BATCH_TIMEOUT_SEC: '-1' },
  });
  const { code, stderr } = await world.flow(...base, '--rows', '2');
  expect({ code, warnings: stderr.split('\n').filter((line) => line.includes('PF_')) }).toEqual({
    code: 0,
    warnings: [
      'warning: PF_WORKER_COUNT is "many", not a whole number from 1 to 10000: 8 rows run at a time',
      'warning: PF_LINE_TIMEOUT_SEC is "0x10", not a whole number of 1 or more: each row has 600 seconds',
      'warning: PF_BATCH_TIMEOUT_SEC is "-1", not a whole number of 1 or more: the run has no time limit',
    ],
  });
  const given = await world.flow(...base, '--rows', '2', '--concurrency', '2', '--row-timeout', '9');
  expect(given.stderr.match(/PF_\w+/g)).toEqual(['PF_BATCH_TIMEOUT_SEC']);
});

test('--output-dir writes the outputs of completed rows and the result', async () => {
  using world = bulkWorld();
  await world.flow(...base, '--rows', '2-4', '--output-dir', 'out');
  const read = (name: string): string => readFileSync(join(world.folder, 'out', name), 'utf8');
  expect(read('outputs.jsonl')).toBe('{"line_number":2,"o":5}\n{"line_number":4,"o":9}\n');
  expect(JSON.parse(read('run.json'))).toMatchObject({ status: 'Completed', rows: { completed: 2, failed: 1 } });
});

test('--json: what keeps a run from starting is one line too', async () => {
  using world = bulkWorld();
  const { code, stdout } = await world.flow('run', 'double', '--data', 'none.jsonl', '--json');
  expect([code, stdout.trimEnd().split('\n').length]).toEqual([2, 1]);
  expect(JSON.parse(stdout)).toMatchObject({ event: 'run-ended', status: 'Failed', error: { code: 'DataNotFound' } });
});

test('rows that fail: exit 1 unless they are allowed; all of them fail the run', async () => {
  using world = bulkWorld();
  expect((await world.flow(...base, '--allow-failures')).code).toBe(0);
  const all = await world.flow(...base, '--rows', '3', '--json');
  expect([all.code, events(all).last.status]).toEqual([1, 'Failed']);
});

test('an evaluation reads what an earlier run gave; a row that failed there is left out', async () => {
  using world = bulkWorld();
  await world.flow(...base, '--name', 'answers');
  const truth = Array.from({ length: 12 }, (_, n) => `{"truth": ${n < 6 ? n * 2 + 1 : 0}}\n`).join('');
  writeFiles(world.folder, { 'truth.jsonl': truth });
  const grade = ['run', 'grade', '--run', 'answers', '--column-mapping', 'answer=${run.outputs.o}'];
  const said = await world.flow(...grade, '--data', 'truth.jsonl', '--name', 'grades', '--json');
  expect([said.code, events(said).first.rows]).toEqual([0, 11]);
  const grades = (await outputsOf(world, 'grades')).map((grade) => grade.split(' ')[1]);
  expect(grades.filter((grade) => grade === '"Correct"')).toHaveLength(5);
  const alone = await world.flow(...grade, 'truth=${run.inputs.n}', '--json');
  expect([alone.code, events(alone).first.rows, events(alone).first.data]).toEqual([0, 11, null]);
});

test('rows that cannot be paired with those of an earlier run are refused, as Prompt flow does', async () => {
  using world = bulkWorld();
  await world.flow(...base, '--name', 'answers');
  await world.flow(...base, '--rows', '0-3', '--name', 'some');
  const lines = (count: number, more = (_: number): string => '') =>
    Array.from({ length: count }, (_, n) => `{"truth": ${n}${more(n)}}\n`).join('');
  writeFiles(world.folder, {
    'short.jsonl': lines(11),
    'long.jsonl': lines(13),
    'numbered.jsonl': lines(3, (n) => `, "line_number": ${n + 4}`),
    'far.jsonl': lines(3, (n) => `, "line_number": ${n + 40}`),
    'numbered.csv': 'truth,line_number\n9,6\n7,4\n',
    'mixed.jsonl': '{"truth": 9, "line_number": 4}\n{"truth": 1, "line_number": "x"}\n{"truth":\n',
  });
  const grade = async (run: string, data: string) =>
    await world.flow('run', 'grade', '--run', run, '--data', data, '--column-mapping', 'answer=${run.outputs.o}');
  for (const [data, count] of [
    ['short.jsonl', 11],
    ['long.jsonl', 13],
  ] as const) {
    const { code, stderr } = await grade('answers', data);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`rows of ${data}: ${count}; rows that run answers ran over: 12`),
    ]);
    expect(stderr).toContain('line_number');
  }
  expect(await grade('answers', 'numbered.jsonl')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('3 of 3'),
  });
  expect(await grade('answers', 'numbered.csv')).toMatchObject({ code: 0, stderr: expect.stringContaining('2 of 2') });
  const mixed = await grade('answers', 'mixed.jsonl');
  expect([mixed.code, mixed.stderr]).toEqual([1, expect.stringContaining('without a usable line_number: 1\n')]);
  expect(mixed.stdout).toContain('2 rows completed, 1 failed\n');
  const far = await grade('answers', 'far.jsonl');
  expect([far.code, far.stderr]).toEqual([2, expect.stringContaining('no row of far.jsonl belongs to a row')]);
  const chosen = await grade('some', 'short.jsonl');
  expect([chosen.code, chosen.stderr]).toEqual([
    0,
    expect.stringContaining('run some ran over a choice of the rows of'),
  ]);
});

test('run.inputs are the columns of the data an earlier run ran over, then the inputs its flow had', async () => {
  using world = createTestWorld();
  const echo = (names: string) => `${names}outputs: {o: {type: string, reference: '\${n.output}'}}
nodes: [{name: n, type: prompt, source: {type: code, path: n.jinja2}, inputs: {x: '\${inputs.x}'}}]
`;
  writeFiles(world.folder, {
    'f/flow.dag.yaml': echo('inputs: {x: {type: string}, only: {type: string, default: own}}\n'),
    'f/n.jinja2': '{{x}}',
    'e/flow.dag.yaml': echo('inputs: {x: {type: string}}\n'),
    'e/n.jinja2': '{{x}}',
    'd.jsonl': '{"x": "column", "q": "first", "truth": "T0"}\n{"x": "column", "q": "second", "truth": "T1"}\n',
  });
  await world.flow('run', 'f', '--data', 'd.jsonl', '--column-mapping', 'x=${data.q}', '--name', 'base', '--quiet');
  const reads = async (column: string, name: string) => {
    const said = await world.flow(
      'run',
      'e',
      '--run',
      'base',
      '--column-mapping',
      `x=\${${column}}`,
      '--name',
      name,
      '--quiet',
    );
    return [said.stderr.split('\n')[0], await outputsOf(world, name)];
  };
  expect(await reads('run.inputs.truth', 'truth')).toEqual(['', ['0 "T0"', '1 "T1"']]);
  expect(await reads('run.inputs.x', 'column')).toEqual(['', ['0 "column"', '1 "column"']]);
  expect(await reads('run.inputs.only', 'input')).toEqual(['', ['0 "own"', '1 "own"']]);
  writeFiles(world.folder, { 'd.jsonl': '{"truth": "A"}\n{"truth": "B"}\n' });
  expect(await reads('run.inputs.truth', 'changed')).toEqual([
    'warning: d.jsonl changed since run base: ${run.inputs…} reads it as it is now',
    ['0 "A"', '1 "B"'],
  ]);
});

test("Prompt flow's run YAML; the command line wins over it", async () => {
  using world = bulkWorld();
  writeFiles(world.folder, {
    'runs/run.yaml': `$schema: https://azuremlschemas.azureedge.net/promptflow/latest/Run.schema.json
name: from-yaml
flow: ../double
data: ../n.jsonl
column_mapping:
  n: \${data.n}
  more: 10
environment_variables: {LANG: ja}
tags: {team: a}
`,
  });
  const argv = ['run', '--file', 'runs/run.yaml', '--rows', '0-1', '--quiet'];
  expect(await world.flow(...argv)).toMatchObject({ code: 0, stdout: 'from-yaml\n' });
  expect(await outputsOf(world, 'from-yaml')).toEqual(['0 10', '1 12']);
  expect((await world.flow(...argv)).stderr).toContain('there is a run from-yaml already');
  await world.flow(...argv, '--name', 'other', '--column-mapping', 'more=20');
  expect(await outputsOf(world, 'other')).toEqual(['0 20', '1 22']);
  writeFiles(world.folder, {
    'runs/run.yaml': 'flow: ../double\ndata: ../n.jsonl\nruntime: auto\ncolumn_maping: {}\n',
  });
  const misspelt = await world.flow(...argv, '--name', 'misspelt');
  expect(misspelt.stderr).toContain(
    'warning: runs/run.yaml: a run has no "column_maping": did you mean "column_mapping"?\n',
  );
  expect(misspelt).toMatchObject({ code: 0, stderr: expect.not.stringContaining('runtime') });
});

test('--retry-failed runs what failed again, and nothing that completed', async () => {
  using world = bulkWorld();
  await world.flow(...base, '--name', 'once');
  const before = callsOf(world.folder).length;
  writeFileSync(join(world.folder, 'double/mended'), '');
  const again = await world.flow('run', '--retry-failed', 'once', '--json');
  expect(again.code).toBe(0);
  expect(events(again).rows.map(({ line }) => line)).toEqual([3]);
  expect(events(again).last).toMatchObject({
    status: 'Completed',
    rows: { total: 12, completed: 12, failed: 0 },
    nodes: { double: { completed: 12 }, total: { completed: 1 } },
    metrics: { sum: 144 },
  });
  expect(callsOf(world.folder).slice(before)).toEqual(['double 3', 'add 6']);
  const nothing = await world.flow('run', '--resume', 'once', '--json');
  expect([nothing.code, events(nothing).rows, callsOf(world.folder).length]).toEqual([0, [], before + 2]);
});

test('a run that goes on with another Unroll than it began with says so', async () => {
  using world = bulkWorld();
  await world.flow(...base, '--name', 'once', '--json');
  const path = await pathOf(world, 'once');
  const store = openSqliteRunReader(path);
  await store[Symbol.asyncDispose]();
  rmSync(path);
  const madeWith = { version: '0.1.0', build: 'another' };
  await createSqliteRunLog(path, { ...store.info, madeWith })[Symbol.asyncDispose]();
  const { stderr } = await world.flow('run', '--resume', 'once', '--json');
  expect(stderr).toMatch(
    /^warning: run once was begun with Unroll [\d.]+ \(build another\) and goes on with [\d.]+ \(build [0-9a-f]{12}\)\n/,
  );
  const { stderr: same } = await world.flow(...base, '--name', 'twice', '--json');
  expect(same).not.toContain('warning');
});

test('an interrupt lets rows in flight end, says how to go on, and the run goes on there', async () => {
  const controller = new AbortController();
  let rows = 0;
  const interruptAfterFour = (text: string): void => {
    if (text.includes('row-ended') && ++rows === 4) controller.abort();
  };
  using world = bulkWorld({ signal: controller.signal, onStdout: interruptAfterFour });
  const stopped = await world.flow(...base, '--name', 'part', '--concurrency', '2', '--env', 'WAIT_MS=20', '--json');
  expect(stopped.code).toBe(130);
  const { last, rows: ended } = events(stopped);
  expect(last).toMatchObject({ status: 'Canceled', metrics: {} });
  expect(ended.length).toBeLessThan(7);
  expect(JSON.parse((await world.flow('runs', '--json')).stdout)).toMatchObject([
    { id: 'part', status: 'Canceled', rows: ended.length, total: 12 },
  ]);
  expect((await world.flow('show', 'part')).stdout).toContain('flow run --resume part');
  using other = bulkWorld({ folder: world.folder });
  const resumed = await other.flow('run', '--resume', 'part', '--env', 'WAIT_MS=0', '--json');
  expect([resumed.code, events(resumed).last.status]).toEqual([1, 'Completed']);
  expect(events(resumed).rows.length + ended.length).toBe(12);
  expect(new Set(callsOf(world.folder)).size).toBe(callsOf(world.folder).length);
  expect((await outputsOf(world, 'part')).length).toBe(12);
});

test('a run whose flow or data changed goes on only by force', async () => {
  using world = bulkWorld();
  await world.flow(...base, '--rows', '0-4', '--name', 'old');
  const add = join(world.folder, 'double/add.mjs');
  writeFileSync(add, `${readFileSync(add, 'utf8')}// changed\n`);
  writeFileSync(join(world.folder, 'n.jsonl'), '{"n": 0}\n');
  const refused = await world.flow('run', '--retry-failed', 'old');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    'error: double/flow.dag.yaml, or a file it names, and n.jsonl changed since run old began\n' +
      'A new run keeps the two apart; --force goes on with this one all the same.\n',
  ]);
  const forced = await world.flow('run', '--retry-failed', 'old', '--force');
  expect(forced.stderr).toContain(
    'warning: double/flow.dag.yaml, or a file it names, and n.jsonl changed since run old began',
  );
});

test('values of variables reach the nodes and not the record, and are asked for again', async () => {
  using world = bulkWorld();
  writeFiles(world.folder, { '.env': 'TOKEN="s3cret-value" # mine\n' });
  const argv = [...base, '--name', 'env', '--rows', '0-3'];
  expect((await world.flow(...argv, '--env', '.env', 'WAIT_MS=1')).code).toBe(1);
  expect(readFileSync(await pathOf(world, 'env'), 'latin1')).not.toContain('s3cret');
  expect((await world.flow('run', '--retry-failed', 'env')).stderr).toBe(
    'error: run env was given TOKEN, WAIT_MS, which a record does not keep\n' +
      'Give them again: --env TOKEN=… WAIT_MS=…\n',
  );
  expect((await world.flow('run', '--retry-failed', 'env', '--env', '.env', 'WAIT_MS=1')).code).toBe(1);
});

test('flow runs lists, removes; flow gc removes what is beyond its limits, with --yes', async () => {
  using world = bulkWorld();
  for (const name of ['one', 'two', 'three']) await world.flow(...base, '--rows', '0-1', '--name', name);
  const ids = async (): Promise<readonly string[]> =>
    JSON.parse((await world.flow('runs', '--json')).stdout).map(({ id }: { readonly id: string }) => id);
  expect((await ids()).toSorted()).toEqual(['one', 'three', 'two']);
  expect(await world.flow('runs', 'rm', 'two')).toEqual({ code: 0, stdout: 'removed two\n', stderr: '' });
  expect((await world.flow('gc')).code).toBe(2);
  const dry = await world.flow('gc', '--keep', '1');
  expect(dry.stdout).toContain('1 of 2 runs, ');
  expect(dry.stdout).toContain('would be removed; --yes removes them');
  expect(await ids()).toHaveLength(2);
  await world.flow('gc', '--keep', '1', '--yes');
  expect(await ids()).toHaveLength(1);
  expect((await world.flow('gc', '--max-size', '1GB')).stdout).toContain('nothing to remove: 1 runs');
});

test('the format and the encoding of data can be said', async () => {
  using world = bulkWorld();
  const utf16 = Buffer.from('n,more\n5,100\n', 'utf16le');
  writeFileSync(join(world.folder, 'unmarked.dat'), utf16);
  const given = ['run', 'double', '--data', 'unmarked.dat', '--column-mapping', 'more=${data.more}', '--quiet'];
  const said = await world.flow(...given, '--data-format', 'csv', '--encoding', 'UTF-16');
  expect([said.code, await outputsOf(world)]).toEqual([0, ['0 110']]);
  expect(await world.flow(...given, '--data-format', 'xlsx')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--data-format takes jsonl, json, csv, tsv, parquet, not "xlsx"'),
  });
  expect(await world.flow(...given, '--encoding', 'latin1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      '--encoding takes utf-8, utf-16le, utf-16be, cp932, euc-jp, iso-2022-jp, not "latin1"',
    ),
  });
});

test('a file that is no UTF-8 is told as what it is read as; a line that does not decode fails as that line', async () => {
  using world = bulkWorld();
  const cp932 = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
  const row = (n: number, text: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(`{"n": ${n}, "more": 100, "q": "`), text, Buffer.from('"}\n')]);
  writeFileSync(join(world.folder, 'sjis.jsonl'), Buffer.concat([row(5, cp932), row(6, cp932)]));
  const given = ['--column-mapping', 'more=${data.more}', '--quiet'];
  expect(await world.flow('run', 'double', '--data', 'sjis.jsonl', ...given)).toMatchObject({
    code: 0,
    stderr: 'warning: sjis.jsonl is read as CP932: it is no UTF-8; --encoding says another\n',
  });
  const question = Buffer.from('日本語の質問です');
  writeFileSync(join(world.folder, 'mixed.jsonl'), Buffer.concat([row(5, question), row(6, cp932), row(7, question)]));
  const mixed = await world.flow('run', 'double', '--data', 'mixed.jsonl', ...given, '--name', 'mixed');
  expect(mixed.code).toBe(1);
  expect(mixed.stderr).not.toContain('CP932');
  const exported = (await world.flow('export', 'mixed')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(exported.map(({ status }) => status)).toEqual(['Completed', 'Failed', 'Completed']);
  expect(exported[1].error.message).toBe('mixed.jsonl:2: byte 0x93 at character 29 is no UTF-8');
});

const loopFlow = {
  'flow/once.ts': 'export default ({ state }) => ({ finished: true, content: state.content ?? state.q });\n',
  'flow/flow.dag.yaml': `inputs: {q: {type: string, default: own}}
outputs: {a: {type: string, reference: "\${rounds.output.answer}"}}
nodes:
- {name: start, type: python, source: {type: code, path: start.ts}, inputs: {q: "\${inputs.q}"}}
loops:
- name: rounds
  times: 2
  state: \${start.output}
  nodes:
  - {name: once, type: python, source: {type: code, path: once.ts}, inputs: {state: "\${loop.state}"}}
`,
  'flow/start.ts': 'export default ({ q }) => ({ finished: false, q });\n',
};

test('in a flow with a loop a column comes before the default, which rows without the column take', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...loopFlow,
    'rows.jsonl': '{"q": "from the data"}\n{"other": 1}\n',
  });
  expect(await world.flow('run', 'flow', '--data', 'rows.jsonl', '--json')).toMatchObject({
    code: 0,
    stderr: 'warning: row 1 of the data: no column "q", so the flow\'s own default is used\n',
  });
  const { stdout } = await world.flow('export');
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).outputs.a);
  expect(answers).toEqual(['from the data', 'own']);
});

const some = '{"q": "here"}\n';
const other = '{"other": 1}\n';
const withTypo = '{"Q ": "here"}\n';
const defaultUsed = (rows: string): string =>
  `warning: ${rows} of the data: no column "q", so the flow's own default is used\n`;

test.for<[what: string, rows: string, told: string]>([
  ['all have it', some.repeat(3), ''],
  ['two have not', some + other + some + other, defaultUsed('rows 1 and 3')],
  ['many have not', some + other.repeat(9), defaultUsed('rows 1, 2, 3, 4, 5 and 4 more')],
  ['one is written wrong, once', some + other + withTypo, `${defaultUsed('rows 1 and 2')}      did you mean "Q "?\n`],
  ['null is a value', `${some}{"q": null}\n`, ''],
])('a column that some rows have and others have not is told once, with the rows: %s', async ([, rows, told]) => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    ...loopFlow,
    'rows.jsonl': rows,
  });
  const { code, stderr } = await world.flow('run', 'flow', '--data', 'rows.jsonl', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: told });
});

test.for([
  ['a flow with a loop', loopFlow],
  [
    'a Prompt flow',
    {
      'flow/flow.dag.yaml': `inputs: {q: {type: string, default: own}}\noutputs: {a: {type: string, reference: "\${inputs.q}"}}\nnodes: []\n`,
    },
  ],
] as const)('no row has a column for an input, and one is written nearly so: told once, of %s', async ([, flow]) => {
  using world = createTestWorld();
  writeFiles(world.folder, { ...flow, 'rows.jsonl': withTypo.repeat(2) });
  const { code, stderr } = await world.flow('run', 'flow', '--data', 'rows.jsonl', '--json');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      "warning: the first row has no column named like an input of the flow, so the flow's defaults are used (columns: Q )\n" +
      '      did you mean "Q "?\n' +
      "      to use a column: --column-mapping q='${data.COLUMN}'\n",
  });
});

test('in a Prompt flow whose inputs are called like no column of the data, that its defaults are used is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'echo/flow.dag.yaml': `inputs: {q: {type: string, default: own}}\noutputs: {a: {type: string, reference: "\${inputs.q}"}}\nnodes: []\n`,
    'rows.csv': '番号,文章\n1,あ\n2,い\n',
    'bare.jsonl': '{}\n{}\n',
  });
  const { code, stderr } = await world.flow('run', 'echo', '--data', 'rows.csv', '--json');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      "warning: the first row has no column named like an input of the flow, so the flow's defaults are used (columns: 番号, 文章)\n" +
      "      to use a column: --column-mapping q='${data.COLUMN}'\n",
  });
  expect((await world.flow('run', 'echo', '--data', 'bare.jsonl', '--json')).stderr).toBe('');
});

test('in a Prompt flow a column that only later rows have, and that its default comes before, is told', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'echo/flow.dag.yaml': `inputs: {a: {type: string, default: own}}\noutputs: {a: {type: string, reference: "\${inputs.a}"}}\nnodes: []\n`,
    'rows.jsonl': '{}\n{"a": "x"}\n',
  });
  const { stderr } = await world.flow('run', 'echo', '--data', 'rows.jsonl', '--json');
  expect(stderr).toBe(
    'warning: row 1 of the data: the flow\'s own default is used for "a", not the column of that name\n' +
      "      to use the column in all rows: --column-mapping a='${data.a}'\n",
  );
});

test('a mapping that is nearly a reference is a text, and it is said so', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'echo/flow.dag.yaml': `inputs: {a: {type: string}}\noutputs: {a: {type: string, reference: "\${inputs.a}"}}\nnodes: []\n`,
    'rows.jsonl': '{"a": "x"}\n',
  });
  const { code, stderr } = await world.flow(
    'run',
    'echo',
    '--data',
    'rows.jsonl',
    '--column-mapping',
    'a=${data.a',
    '--json',
  );
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr:
      'warning: "a" is the text "${data.a" in each row: a column is read where nothing stands beside its reference\n' +
      "      for instance --column-mapping a='${data.COLUMN}'\n",
  });
});

test('in a Prompt flow a default comes before a column of the same name, and it is said so', async () => {
  using world = createTestWorld();
  writeFiles(world.folder, {
    'echo/flow.dag.yaml': `inputs: {a: {type: string, default: own}}\noutputs: {a: {type: string, reference: "\${inputs.a}"}}\nnodes: []\n`,
    'rows.jsonl': '{"a": "from the data"}\n',
  });
  const run = async (...more: readonly string[]) => {
    const { stderr } = await world.flow('run', 'echo', '--data', 'rows.jsonl', '--json', ...more);
    const { stdout } = await world.flow('export');
    return { a: JSON.parse(stdout).outputs.a, stderr };
  };
  expect(await run()).toEqual({
    a: 'own',
    stderr: `warning: the flow's own default is used for "a", not the column of that name\n      to use the column: --column-mapping a='\${data.a}'\n`,
  });
  expect(await run('--column-mapping', `a=\${data.a}`)).toEqual({ a: 'from the data', stderr: '' });
  const { stderr } = await run('--column-mapping', `a=\${data.a}`, `質問=\${data.a}`);
  expect(stderr).toBe('warning: there is no input "質問": it takes a\n');
  writeFiles(world.folder, { 'run.yaml': 'flow: echo\ndata: rows.jsonl\n' });
  expect((await world.flow('run', '--file', 'run.yaml', '--json')).stderr).toContain(
    '      to use the column: column_mapping: {a: "${data.a}"}\n',
  );
});

const labelled = '{"q": "one", "id": "a", "truth": 1}\n{"q": "two", "id": "b", "truth": 2}\n';
const exportedRows = [
  { q: 'one', data: { id: 'a', truth: 1 } },
  { q: 'two', data: { id: 'b', truth: 2 } },
];

test.for<readonly [string, string | undefined, readonly object[], RegExp]>([
  ['as it was', labelled, exportedRows, /^$/],
  [
    'with another question',
    labelled.replace('two', 'zwei'),
    [exportedRows[0] ?? {}, { q: 'two' }],
    /^warning: rows\.jsonl has changed since the run: rows of other inputs have no columns of it\n$/,
  ],
  ['gone', undefined, [], /^error: the data of run \S+ cannot be read: .*rows\.jsonl/],
])(
  'columns of the data that are no inputs are exported where they are asked for: data %s',
  async ([, now, rows, said]) => {
    using world = createTestWorld();
    writeFiles(world.folder, { ...loopFlow, 'rows.jsonl': labelled });
    await world.flow('run', 'flow', '--data', 'rows.jsonl', '--quiet');
    if (now === undefined) rmSync(join(world.folder, 'rows.jsonl'));
    else writeFiles(world.folder, { 'rows.jsonl': now });
    const { stdout, stderr } = await world.flow('export', '--data-columns');
    const lines = stdout.split('\n').filter((line) => line !== '');
    const seen = lines
      .map((line) => JSON.parse(line))
      .map(({ inputs, data }) => ({ q: inputs.q, ...(data && { data }) }));
    expect(seen).toEqual(rows);
    expect(stderr).toMatch(said);
    const plain = await world.flow('export', '--out', 'rows.csv', '--quiet');
    expect([plain.code, plain.stdout, plain.stderr]).toEqual([0, '', '']);
  },
);
