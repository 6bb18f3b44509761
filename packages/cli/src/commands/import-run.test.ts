import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';

const recorded = join(import.meta.dirname, '../../../../cases/promptflow/run_layout');

test('a run of Prompt flow becomes a record: rows, nodes, errors, metrics', async () => {
  using world = createTestWorld();
  cpSync(recorded, join(world.folder, 'their_run'), { recursive: true });
  expect(await world.flow('import-run', 'their_run')).toEqual({
    code: 0,
    stdout: '3 rows, 1 failed, 4 nodes\nrecord  .flow/runs/syn_run_2.run\nnext    flow show syn_run_2\n',
    stderr: '',
  });
  const node = async (row: string, name: string) =>
    JSON.parse((await world.flow('show', 'syn_run_2', '--row', row, '--node', name, '--json')).stdout).nodes[name];
  expect(await node('0', 'double')).toMatchObject({
    status: 'Completed',
    inputs: { n: 1 },
    output: 2,
    duration_ms: 0.805,
  });
  expect(await node('1', 'double')).toMatchObject({
    status: 'Failed',
    error: { code: 'ToolExecutionError', message: "Execution failure in 'double': (ValueError) unlucky" },
  });
  expect(await node('2', 'maybe')).toMatchObject({ status: 'Bypassed', inputs: null });
  expect(await node('0', 'report')).toMatchObject({ status: 'Completed' });
  expect((await world.flow('show', 'syn_run_2')).stdout).toContain('nested.metric  5.0');
});

test.for([
  ['web_classification_variant_0_20240101_123456_123456', 'web_classification'],
  ['chat_math_20240101_123456_123456', 'chat_math'],
  ['my-own-name', 'my-own-name'],
] as const)('the flow of the run %s is %s, not its snapshot', async ([run, flow]) => {
  using world = createTestWorld();
  const theirs = join(world.folder, 'their_run');
  cpSync(recorded, theirs, { recursive: true });
  const first = join(theirs, 'flow_artifacts/000000000_000000000.jsonl');
  writeFileSync(first, readFileSync(first, 'utf8').replaceAll('syn_run_2', run));
  await world.flow('import-run', 'their_run');
  const [listed] = JSON.parse((await world.flow('runs', '--json')).stdout);
  expect(listed).toMatchObject({ id: run, flow });
});

test.for([
  ['{"flow_path": "/home/me/flows/web", "output_path": "x"}', 'web'],
  ['{"flow_path": "C:\\\\flows\\\\web\\\\flow.dag.yaml"}', 'web'],
  ['{"flow_path": 5}', 'mine'],
  ['no JSON', 'mine'],
] as const)('the flow of a run that was named is looked up in the store: %s', async ([properties, flow]) => {
  using world = createTestWorld();
  const theirs = join(world.folder, 'pf/.runs/mine');
  cpSync(recorded, theirs, { recursive: true });
  const first = join(theirs, 'flow_artifacts/000000000_000000000.jsonl');
  writeFileSync(first, readFileSync(first, 'utf8').replaceAll('syn_run_2', 'mine'));
  using database = new DatabaseSync(join(world.folder, 'pf/pf.sqlite'));
  database.exec('CREATE TABLE run_info (name TEXT NOT NULL, properties TEXT, PRIMARY KEY (name))');
  database.prepare('INSERT INTO run_info VALUES (?, ?)').run('mine', properties);
  await world.flow('import-run', 'pf/.runs/mine');
  const [listed] = JSON.parse((await world.flow('runs', '--json')).stdout);
  expect(listed).toMatchObject({ id: 'mine', flow });
});

test('what Prompt flow notes for itself is not imported, and a node without a record did not run', async () => {
  using world = createTestWorld();
  const theirs = join(world.folder, 'their_run');
  cpSync(recorded, theirs, { recursive: true });
  rmSync(join(theirs, 'node_artifacts/maybe/000000001.jsonl'));
  const path = join(theirs, 'node_artifacts/double/000000000.jsonl');
  const record = JSON.parse(readFileSync(path, 'utf8'));
  record.run_info.inputs._inputs_to_escape = ['n'];
  const stamp = '[2026-11-21T10:06:39+0000] ';
  record.run_info.logs = { stdout: `${stamp}sum${stamp} ${stamp}16\n`, stderr: '' };
  writeFileSync(path, JSON.stringify(record));
  await world.flow('import-run', 'their_run');
  const exported = (await world.flow('export', '--nodes')).stdout.trim().split('\n');
  const nodes = exported.map((line) => JSON.parse(line));
  const recordOf = (line: number, name: string) => nodes.find((one) => one.line === line && one.node === name);
  expect(recordOf(1, 'maybe')).toMatchObject({ status: 'NotRun' });
  expect(recordOf(0, 'double')).toMatchObject({ inputs: { n: 1 }, logs: { stdout: 'sum 16\n', stderr: '' } });
  expect(recordOf(0, 'double').inputs).toEqual({ n: 1 });
});

test('images beside the records are taken in, and a generator that nobody read gave nothing', async () => {
  using world = createTestWorld();
  const theirs = join(world.folder, 'their_run');
  cpSync(recorded, theirs, { recursive: true });
  const path = join(theirs, 'node_artifacts/double/000000000.jsonl');
  const record = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(join(theirs, 'node_artifacts/double/0a.png'), Buffer.from('\x89PNG', 'latin1'));
  record.run_info.inputs = {
    n: { 'data:image/png;path': '0a.png' },
    moved: [{ type: 'image_file', image_file: { path: '/gone/node_artifacts/double/0a.png' } }],
    lost: { 'data:image/png;path': '/gone/0b.png' },
  };
  record.run_info.output = '<generator object double at 0x7fc0813c1000>';
  writeFileSync(path, JSON.stringify(record));
  await world.flow('import-run', 'their_run');
  const { stdout } = await world.flow('show', 'syn_run_2', '--row', '0', '--node', 'double', '--json');
  const image = { 'data:image/png;base64': Buffer.from('\x89PNG', 'latin1').toString('base64') };
  expect(JSON.parse(stdout).nodes.double).toMatchObject({
    inputs: { n: image, moved: [image], lost: { 'data:image/png;path': '/gone/0b.png' } },
    output: [],
  });
});

test('an imported run is shown without a way to go on with it', async () => {
  using world = createTestWorld();
  cpSync(recorded, join(world.folder, 'their_run'), { recursive: true });
  await world.flow('import-run', 'their_run');
  const { stdout } = await world.flow('show', 'syn_run_2');
  expect(stdout).not.toContain('flow run --re');
  expect(stdout).toMatch(/next {4}flow parity FLOW syn_run_2\n {8}flow show syn_run_2 --row 1\n$/);
  expect(await world.flow('run', '--retry-failed', 'syn_run_2')).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: run syn_run_2 was recorded by Prompt flow: it cannot be gone on with\nflow parity FLOW syn_run_2 runs a flow on its rows again.\n',
  });
});

test('a run that is there already, and a folder that is none', async () => {
  using world = createTestWorld();
  cpSync(recorded, join(world.folder, 'their_run'), { recursive: true });
  await world.flow('import-run', 'their_run');
  expect(await world.flow('import-run', 'their_run')).toMatchObject({
    code: 2,
    stderr: 'error: there is a run syn_run_2 already\n--name gives the imported one another name.\n',
  });
  expect((await world.flow('import-run', 'their_run', '--name', 'again')).code).toBe(0);
  const none = await world.flow('import-run', 'their_run/snapshot');
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('is no run of Prompt flow: it has no flow_artifacts');
  expect(await world.flow('import-run', 'their')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: there is no folder \S+their\n/),
  });
});

test('its rows and nodes are exported', async () => {
  using world = createTestWorld();
  cpSync(recorded, join(world.folder, 'their_run'), { recursive: true });
  await world.flow('import-run', 'their_run');
  expect((await world.flow('export')).stdout.split('\n')).toEqual([
    '{"line_number":0,"status":"Completed","inputs":{"n":1,"tag":"T"},"outputs":{"doubled":2}}',
    `{"line_number":1,"status":"Failed","inputs":{"n":13,"tag":"T"},"outputs":{},"error":{"code":"ToolExecutionError","message":"Execution failure in 'double': (ValueError) unlucky","node":"double"}}`,
    '{"line_number":2,"status":"Completed","inputs":{"n":4,"tag":"T"},"outputs":{"doubled":8}}',
    '',
  ]);
  expect(await world.flow('export', 'latest', '--out', 'rows.csv', '--bom')).toMatchObject({
    code: 0,
    stderr: 'rows.csv written\n',
  });
  expect(readFileSync(join(world.folder, 'rows.csv'), 'utf8')).toMatch(
    /^\uFEFFline_number,status,inputs\.n,inputs\.tag,outputs\.doubled,error\n0,Completed,1,T,2,\n/,
  );
  const nodes = (await world.flow('export', '--nodes')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(nodes.map(({ line, node, status }) => `${line} ${node} ${status}`)).toEqual([
    '0 maybe Bypassed',
    '0 double Completed',
    '0 total Completed',
    '0 report Completed',
    '1 maybe Bypassed',
    '1 double Failed',
    '2 maybe Bypassed',
    '2 double Completed',
  ]);
  expect(await world.flow('export', '--format', 'parquet')).toMatchObject({
    code: 2,
    stderr: 'error: Parquet is no text\nName a file: --out rows.parquet\n',
  });
  expect(await world.flow('export', '--out', 'rows.xlsx')).toMatchObject({
    code: 2,
    stderr:
      'error: rows are written as jsonl, csv, parquet, not as xlsx\nName a file of that kind, or the form with --format.\n',
  });
});

test('a flow is run again on the rows of the imported run, and what differs is told by node', {
  timeout: 30_000,
}, async () => {
  using world = createTestWorld();
  cpSync(recorded, join(world.folder, 'their_run'), { recursive: true });
  await world.flow('import-run', 'their_run');
  const flow = join(world.folder, 'their_run/snapshot');
  const same = await world.flow('parity', flow, 'syn_run_2', '--quiet');
  expect(same).toMatchObject({ code: 0, stderr: '' });
  expect(same.stdout).toContain('The same in 3 rows: every node, every output.');
  const code = readFileSync(join(flow, 'double.py'), 'utf8');
  writeFileSync(join(flow, 'double.py'), code.replace('return', 'return 1 +'));
  const other = await world.flow('parity', flow, 'syn_run_2', '--quiet');
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('doubled changed in 2 of 3 rows.');
  expect(other.stdout).toContain('The first node that differs is double, in 2 rows.');
  expect(await world.flow('parity', flow)).toMatchObject({ code: 2 });
});
