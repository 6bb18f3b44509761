import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bulkWorld } from '../testing/bulk-flow.ts';
import { startFlow } from '../testing/flow-process.ts';
import type { TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

/** A folder is there in which nothing can be made: on Linux, Node's own `recursive` never comes to an end in it. */
const nowhere = '/proc/unroll/deep';
const one = ['run', 'double', '--input', 'n=1'];

interface Case {
  readonly argv: readonly string[];
  readonly code: number;
  readonly told: RegExp;
  readonly environment?: Readonly<Record<string, string>>;
}

test.for<readonly [string, Case]>([
  ['a new flow', { argv: ['init', `${nowhere}/agent`], code: 2, told: /agent cannot be written: / }],
  ['runs', { argv: [...one, '--runs-dir', nowhere], code: 2, told: /runs cannot be recorded in / }],
  [
    'outputs of a row',
    { argv: [...one, '--output-dir', nowhere], code: 2, told: /deep\/run\.json cannot be written: / },
  ],
  [
    'outputs of rows',
    {
      argv: ['run', 'double', '--data', 'n.jsonl', '--output-dir', nowhere],
      code: 2,
      told: /deep\/run\.json cannot be written: /,
    },
  ],
  [
    'a cassette',
    { argv: [...one, '--record', `${nowhere}/c.yaml`], code: 2, told: /the cassette .* cannot be written: / },
  ],
  [
    'prices of a user',
    {
      argv: ['prices', 'update', '--file', 'list.json', '--user'],
      environment: { HOME: nowhere },
      code: 2,
      told: /prices\.json cannot be written: /,
    },
  ],
  [
    'connections',
    {
      argv: ['connection', 'create', '--file', 'c.yaml', '--set', 'api_key=not-a-key'],
      environment: { HOME: nowhere },
      code: 2,
      told: /cannot be written: /,
    },
  ],
  [
    'the report of an evaluation',
    { argv: ['eval', 'scores', '--html', `${nowhere}/r.html`], code: 2, told: /r\.html cannot be written: / },
  ],
])('%s where no folder can be made: refused in words, and soon', { timeout: 120_000 }, async ([, tried]) => {
  using world = bulkWorld({ environment: tried.environment ?? {} });
  writeGiven(world);
  const { code, stderr } = await world.flow(...tried.argv);
  expect(stderr).toMatch(tried.told);
  expect(stderr).not.toContain('flow itself failed');
  expect(code).toBe(tried.code);
});

test.for<readonly [string, readonly string[]]>([
  ['a row', one],
  ['rows', ['run', 'double', '--data', 'n.jsonl']],
])('outputs of %s into a folder that is a file, or under one: refused before anything runs', async ([, argv]) => {
  using world = bulkWorld();
  for (const folder of ['n.jsonl', 'n.jsonl/below']) {
    expect(await world.flow(...argv, '--output-dir', folder)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: n\.jsonl\/(?:below\/)?run\.json cannot be written: /),
    });
  }
  expect(existsSync(join(world.folder, '.flow/runs'))).toBe(false);
});

test.for<readonly [string, readonly string[]]>([
  ['run', ['run', 'flow']],
  ['check', ['check', 'flow']],
  ['expand --promptflow', ['expand', '--promptflow', 'written', 'flow']],
])(
  'flow %s of a flow with includes, where there is no place for temporary files: that place is told',
  async ([, argv]) => {
    using world = bulkWorld();
    const folder = realpathSync(world.folder);
    writeFiles(folder, {
      'flow/flow.dag.yaml':
        'nodes:\n- {name: say, type: prompt, source: {type: code, path: say.jinja2}}\nadditional_includes: [../say.jinja2]\n',
      'say.jinja2': 'hi',
    });
    const environment = { TMPDIR: join(folder, 'say.jinja2/temporary') };
    expect(await startFlow(argv, { folder, environment }).ended).toMatchObject({
      code: 2,
      stderr: `error: no temporary folder can be made in ${environment.TMPDIR}: a file stands where a folder is wanted\nTMPDIR names another place for them.\n`,
    });
    expect(existsSync(join(folder, 'written'))).toBe(false);
  },
);

test('below a folder in which none can be made, a start that needs no temporary file does not wait for one', async () => {
  using world = bulkWorld();
  writeFiles(world.folder, {
    'flow/flow.dag.yaml': `outputs: {said: {type: string, reference: "\${say.output}"}}
nodes: [{name: say, type: python, source: {type: code, path: say.ts}}]\n`,
    'flow/say.ts': "export const say = () => 'hi';\n",
  });
  const environment = { TMPDIR: '/proc/sys' };
  expect(await startFlow(['run', 'flow', '--json'], { folder: world.folder, environment }).ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"hi"'),
  });
});

function writeGiven({ folder }: TestWorld): void {
  writeFiles(folder, {
    'list.json': '{"date": "2026-11-01", "models": {}}',
    'c.yaml': 'name: mine\ntype: open_ai\n',
    'scores/eval.yaml': 'flow: ../double\ndata: ../n.jsonl\nmetrics:\n- {name: time, evaluator: latency}\n',
  });
}
