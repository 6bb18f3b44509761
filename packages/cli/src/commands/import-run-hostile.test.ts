import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';

const recorded = join(import.meta.dirname, '../../../../cases/promptflow/run_layout');
const outside = 'what lies outside';

/** A record of a row; the members given are its own. */
function row(line: unknown, info: object = {}): string {
  const ended = { status: 'Completed', start_time: '2026-11-21T00:00:00', output: { doubled: 2 } };
  const run = { ...ended, inputs: { n: 1 }, index: line, ...info };
  return `${JSON.stringify({ line_number: line, run_info: run })}\n`;
}

const rows = 'flow_artifacts/000000003_000000003.jsonl';
const nodes = 'node_artifacts/double';

/** What makes a run folder hostile, and what is said of it. */
const refused: readonly (readonly [what: string, make: (folder: string, secret: string) => void, told: RegExp])[] = [
  [
    'a link out of the folder',
    (folder, secret) => symlinkSync(secret, join(folder, rows)),
    /^error: flow_artifacts\/000000003_000000003\.jsonl leads out of the folder\n/,
  ],
  [
    'a folder of records that is a link',
    (folder, secret) => {
      renameSync(join(folder, 'flow_artifacts'), join(secret, '../moved'));
      symlinkSync(join(secret, '../moved'), join(folder, 'flow_artifacts'));
    },
    /^error: flow_artifacts leads out of the folder\n/,
  ],
  [
    'a node that is a link',
    (folder, secret) => symlinkSync(join(secret, '..'), join(folder, 'node_artifacts/linked')),
    /^error: node_artifacts\/linked leads out of the folder\n/,
  ],
  [
    'a link to itself',
    (folder) => symlinkSync('round.jsonl', join(folder, 'flow_artifacts/round.jsonl')),
    /round\.jsonl/,
  ],
  ['a FIFO', (folder) => execFileSync('mkfifo', [join(folder, rows)]), /^error: flow_artifacts\/\S+ is no file\n/],
  ['a folder called as a file', (folder) => mkdirSync(join(folder, rows)), /^error: flow_artifacts\/\S+ is no file\n/],
  [
    'a file of 2 GB',
    (folder) => {
      writeFileSync(join(folder, rows), '');
      truncateSync(join(folder, rows), 2 ** 31);
    },
    /^error: flow_artifacts\/\S+ is larger than 256 MB\n/,
  ],
  [
    'JSON that nests 100,000 deep',
    (folder) => writeFileSync(join(folder, rows), `${row(3)}${'['.repeat(100_000)}${']'.repeat(100_000)}\n`),
    /^error: flow_artifacts\/\S+:2: nested deeper than 1000 levels/,
  ],
  [
    'metrics that nest 100,000 deep',
    (folder) => writeFileSync(join(folder, 'metrics.json'), '{"a":'.repeat(100_000)),
    /^error: metrics\.json: nested deeper than 1000 levels/,
  ],
  [
    'bytes that are no UTF-8',
    (folder) =>
      writeFileSync(
        join(folder, rows),
        Buffer.concat([Buffer.from(row(3)), Buffer.from([0x22, 0x93, 0xfa, 0x22, 0x0a])]),
      ),
    /^error: flow_artifacts\/\S+:2: no UTF-8\n/,
  ],
  [
    'half a line',
    (folder) => writeFileSync(join(folder, rows), `${row(3)}{"line_number": 4,`),
    /^error: flow_artifacts\/\S+:2: no JSON\nWithout that file the other rows are read\.\n/,
  ],
  [
    'a line that is no object',
    (folder) => writeFileSync(join(folder, rows), 'null\n'),
    /^error: flow_artifacts\/\S+:1: no object\n/,
  ],
  [
    'a line number twice',
    (folder) => writeFileSync(join(folder, rows), row(3) + row(1)),
    /^error: flow_artifacts\/000000003_000000003\.jsonl:2: row 1 was recorded before, at flow_artifacts\/000000001_000000001\.jsonl:1\n/,
  ],
  [
    'a record of a node twice',
    (folder) => cpSync(join(folder, nodes, '000000001.jsonl'), join(folder, nodes, 'again.jsonl')),
    /^error: node_artifacts\/double\/again\.jsonl:1: row 1 was recorded before, at node_artifacts\/double\/000000001\.jsonl:1\n/,
  ],
  ...[-1, 1.5, 2 ** 40, '3', null, undefined, [3]].map(
    (line) =>
      [
        `the line number ${JSON.stringify(line)}`,
        (folder: string) => writeFileSync(join(folder, rows), row(line)),
        /^error: flow_artifacts\/\S+:1: its line_number is no whole number from 0 to 4294967295\n/,
      ] as const,
  ),
  [
    'no records at all',
    (folder) => rmSync(join(folder, 'flow_artifacts'), { recursive: true }),
    /is no run of Prompt flow: it has no flow_artifacts/,
  ],
  [
    'a run that ended before its first row',
    (folder) => {
      rmSync(join(folder, 'flow_artifacts'), { recursive: true });
      mkdirSync(join(folder, 'flow_artifacts'));
    },
    /^error: \S+ holds no row: the run ended before its first one \(its logs\.txt may say why\)\n/,
  ],
  [
    'a file in the place of the folder',
    (folder) => {
      rmSync(join(folder, 'flow_artifacts'), { recursive: true });
      writeFileSync(join(folder, 'flow_artifacts'), '');
    },
    /^error: flow_artifacts is no folder\n/,
  ],
];

test.for(refused)('a run folder is refused, with the place: %s', async ([, make, told]) => {
  using world = createTestWorld();
  const folder = join(world.folder, 'their_run');
  const secret = join(world.folder, 'secret.jsonl');
  writeFileSync(secret, row(9, { output: outside }));
  cpSync(recorded, folder, { recursive: true });
  make(folder, secret);
  const said = await world.flow('import-run', 'their_run');
  expect(said).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(told) });
  expect(said.stderr).not.toContain(outside);
  expect(existsSync(join(world.folder, '.flow/runs'))).toBe(false);
});

test('pictures outside of the run folder are not read', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'their_run');
  cpSync(recorded, folder, { recursive: true });
  writeFileSync(join(world.folder, 'secret.png'), outside);
  const picture = (path: string) => ({ 'data:image/png;path': path });
  const paths = ['../../../secret.png', '../../secret.png', join(world.folder, 'secret.png'), '..\\..\\secret.png'];
  const inputs = Object.fromEntries(paths.map((path, at) => [`p${at}`, picture(path)]));
  writeFileSync(join(folder, rows), row(3, { inputs }));
  expect(await world.flow('import-run', 'their_run')).toMatchObject({ code: 0 });
  const { stdout } = await world.flow('export', 'syn_run_2');
  expect(JSON.parse(stdout.trim().split('\n')[3] ?? '')).toMatchObject({ line_number: 3, inputs });
  expect(stdout).not.toContain(Buffer.from(outside).toString('base64').slice(0, 12));
  symlinkSync(join(world.folder, 'secret.png'), join(folder, 'flow_artifacts/secret.png'));
  expect(await world.flow('import-run', 'their_run', '--name', 'again')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: flow_artifacts\/secret\.png leads out of the folder\n/),
  });
});

/** Of two rows that are there without their nodes, of which the flow has two for each row. */
const unrecorded =
  'warning: row 3 is Completed, but node_artifacts has no record of its node double, which counts as not run; so it is with 3 other records\n';

test('an output that is no mapping is kept as one output', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'their_run');
  cpSync(recorded, folder, { recursive: true });
  writeFileSync(join(folder, rows), row(3, { output: [1] }) + row(4, { output: null }));
  expect(await world.flow('import-run', 'their_run')).toMatchObject({ code: 0, stderr: unrecorded });
  const { stdout } = await world.flow('export', 'syn_run_2');
  const outputs = stdout
    .trim()
    .split('\n')
    .slice(3)
    .map((line) => JSON.parse(line).outputs);
  expect(outputs).toEqual([{ output: [1] }, {}]);
});

test('a flow that lies outside of the run folder is not read, and that is told', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'their_run');
  cpSync(recorded, folder, { recursive: true });
  renameSync(join(folder, 'snapshot'), join(world.folder, 'elsewhere'));
  symlinkSync('../elsewhere', join(folder, 'snapshot'));
  expect(await world.flow('import-run', 'their_run')).toMatchObject({
    code: 0,
    stderr: 'warning: snapshot/flow.dag.yaml leads out of the folder: nodes are listed by name\n',
  });
});

test('a row of line 1,000,000,000 and one of 200 MB are rows as any other', { timeout: 120_000 }, async () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'their_run');
  cpSync(recorded, folder, { recursive: true });
  writeFileSync(join(folder, rows), row(1_000_000_000) + row(3, { inputs: { text: 'x'.repeat(200_000_000) } }));
  expect(await world.flow('import-run', 'their_run')).toMatchObject({ code: 0, stderr: unrecorded });
  const { stdout } = await world.flow('show', 'syn_run_2', '--row', '1000000000', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'Completed', outputs: { doubled: 2 } });
});

test('times and durations that cannot be count as none', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'their_run');
  cpSync(recorded, folder, { recursive: true });
  const start_time = '2026-11-21T00:00:00';
  const records = [
    row(3, { start_time: '+275760-09-12T23:59:59' }),
    row(4, { start_time, system_metrics: { duration: 1e308 } }),
    row(5, { start_time, end_time: '1969-01-01T00:00:00' }),
  ];
  writeFileSync(join(folder, rows), records.join(''));
  writeFileSync(join(folder, nodes, '000000003.jsonl'), records.join(''));
  await world.flow('import-run', 'their_run');
  const { stdout } = await world.flow('export', '--nodes');
  const told = stdout.split('\n').filter((line) => /^\{"line":[345],"node":"double"/.test(line));
  const at = '2026-11-21T00:00:00.000Z';
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    { started_at: null, ended_at: null },
    { started_at: at, ended_at: at },
    { started_at: at, ended_at: at },
  ]);
});

test('what Prompt flow would not have written is told: statuses, times, an index of another row', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'their_run');
  cpSync(recorded, folder, { recursive: true });
  const strange = [
    row(3, { status: 'Kompleted' }),
    row(4, { status: null }),
    row(5, { start_time: 'yesterday' }),
    row(6, { index: 7 }),
  ];
  writeFileSync(join(folder, rows), strange.join(''));
  const { code, stderr } = await world.flow('import-run', 'their_run', '--name', 'strange');
  expect(code).toBe(0);
  expect(stderr).toContain(
    `warning: ${rows}:1: the record has a status that there is not, and counts as failed; so it is in 1 other\n`,
  );
  expect(stderr).toContain(`warning: ${rows}:3: the record has no start_time that can be read\n`);
  expect(stderr).toContain(`warning: ${rows}:4: the record has an index that is not its line_number, which counts\n`);
});

test('what is not there is told: records of nodes, and rows of such records', async () => {
  using world = createTestWorld();
  const folder = join(world.folder, 'their_run');
  cpSync(recorded, folder, { recursive: true });
  rmSync(join(folder, 'flow_artifacts/000000002_000000002.jsonl'));
  expect(await world.flow('import-run', 'their_run')).toMatchObject({
    code: 0,
    stderr: 'warning: 2 records of nodes belong to rows that flow_artifacts does not hold, and are left out\n',
  });
  for (const name of ['maybe', 'double']) rmSync(join(folder, 'node_artifacts', name, '000000000.jsonl'));
  expect((await world.flow('import-run', 'their_run', '--name', 'gaps')).stderr).toContain(
    'warning: row 0 is Completed, but node_artifacts has no record of its node double, which counts as not run; so it is with 1 other record\n',
  );
  rmSync(join(folder, 'node_artifacts'), { recursive: true });
  expect(await world.flow('import-run', 'their_run', '--name', 'bare')).toMatchObject({
    code: 0,
    stderr: 'warning: it has no node_artifacts: rows have no records of nodes\n',
  });
});

test.for([
  ['../../gone', 'gone'],
  ['..', 'imported'],
  ['latest', 'imported-latest'],
  ['nul', 'imported-nul'],
  ['x'.repeat(5000), 'x'.repeat(80)],
  ['質問（一）', '質問-一-'],
  ['質'.repeat(5000), '質'.repeat(66)],
])(
  'a run that calls itself what none may be called is kept under a name of its own, $1',
  async ([theirs = '', ours]) => {
    using world = createTestWorld();
    const folder = join(world.folder, 'their_run');
    cpSync(recorded, folder, { recursive: true });
    writeFileSync(join(folder, 'flow_artifacts/000000000_000000000.jsonl'), row(0, { root_run_id: theirs }));
    const { stdout } = await world.flow('import-run', 'their_run');
    expect(stdout).toContain(`record  .flow/runs/${ours}.run\n`);
    expect(await world.flow('import-run', 'their_run', '--name', 'latest')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('error: a run cannot be called "latest"'),
    });
  },
);
