import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFlow } from '../testing/flow-process.ts';
import { runObserved, write, writeObservedFlow } from '../testing/observed-flow.ts';
import { createTestWorld } from '../testing/test-io.ts';

const secret = 'sk-Tr0ub4dor-and-3-horses';
const world = createTestWorld();
const stateFolder = process.env['XDG_STATE_HOME'];

beforeAll(async () => {
  process.env['XDG_STATE_HOME'] = join(world.folder, 'state');
  const cases = [
    {
      name: 'key',
      code: 'export default () => String(process.env.TOLD_API_KEY?.length);\n',
      variables: { TOLD_API_KEY: secret },
      later: {},
    },
    {
      name: 'file',
      code: "import { readFileSync } from 'node:fs';\nexport default () => readFileSync('FOLDER/outside/' + 'told.txt', 'utf8');\n",
      files: { 'outside/told.txt': 'a' },
      later: {},
    },
    {
      name: 'index',
      code: "import { openIndex } from '@unroll/nodes/lookup';\nexport default () => String(openIndex('FOLDER/outside/faq.jsonl').size);\n",
      files: { 'outside/faq.jsonl': '{"id": "1", "text": "a"}\n' },
      later: {},
    },
    {
      name: 'child',
      code: "import { execFileSync } from 'node:child_process';\nexport default () => execFileSync('echo', ['a'], { encoding: 'utf8' });\n",
      later: {},
    },
  ];
  writeObservedFlow(world, cases, 'ts');
});
afterAll(() => {
  if (stateFolder === undefined) delete process.env['XDG_STATE_HOME'];
  else process.env['XDG_STATE_HOME'] = stateFolder;
  world[Symbol.dispose]();
});

test('a run says once what cannot be compared', async () => {
  const { stderr } = await runObserved(world, 'before');
  expect(stderr).toBe(
    'warning: what code reads there cannot be compared, so that flow run --since runs it again: child (child process)\n' +
      '  cache: true takes its output all the same, cache: false says that it always runs\n',
  );
});

test('no record holds a secret, nor a digest of it that somebody could try values against', () => {
  const folder = join(world.folder, '.flow/runs');
  const held = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  const plain = ['sha256', 'sha1', 'md5', 'sha512'].map((kind) => createHash(kind).update(secret).digest());
  for (const bytes of held) {
    expect(bytes.includes(secret)).toBe(false);
    for (const digest of plain) {
      expect(bytes.includes(digest.subarray(0, 16))).toBe(false);
      expect(bytes.includes(digest.toString('hex').slice(0, 12))).toBe(false);
    }
  }
  const key = join(world.folder, 'state/unroll/environment.key');
  expect([statSync(key).mode & 0o777, statSync(key).size]).toEqual([0o600, 32]);
});

test('why and diff name the variable and the file; never the value', async () => {
  process.env['TOLD_API_KEY'] = 'sk-short';
  write(world, { 'outside/told.txt': 'b' });
  await runObserved(world, 'after', '--since', 'before');
  const { stdout } = await world.flow('why', 'after', '--row', '0', '--no-color');
  expect(stdout).toBe(`row 0 of after, against before
✓ key  ran: environment variable TOLD_API_KEY changed
✓ file  ran: data ../outside/told.txt changed
✓ index  taken from before: nothing it depends on has changed
✓ child  ran: its code reads what nobody can compare: child process (cache: true takes its output all the same)
`);
  const { stdout: diff } = await world.flow('diff', 'before', 'after', '--json');
  const { nodes } = JSON.parse(diff) as {
    readonly nodes: readonly {
      readonly name: string;
      readonly kinds: object;
      readonly cause_parts: readonly object[];
    }[];
  };
  expect(nodes.map(({ name, kinds, cause_parts: parts }) => ({ name, kinds, parts }))).toMatchObject([
    { name: 'key', kinds: { cause: 2 }, parts: [{ part: 'variable TOLD_API_KEY' }] },
    { name: 'file', kinds: { cause: 2 }, parts: [{ part: 'reads ../outside/told.txt' }] },
    { name: 'index', kinds: {}, parts: [] },
    { name: 'child', kinds: {}, parts: [] },
  ]);
  expect(stdout + diff).not.toContain('sk-short');
});

test('cache: true takes what cannot be compared all the same', async () => {
  const flow = readFileSync(join(world.folder, 'flow/flow.dag.yaml'), 'utf8');
  write(world, { 'flow/flow.dag.yaml': flow.replace('{name: child, ', '{name: child, cache: true, ') });
  const { ran, stderr } = await runObserved(world, 'taken', '--since', 'after');
  expect({ ran, stderr }).toEqual({ ran: [], stderr: '' });
});

test('what an output that was taken depends on goes on to the next run', async () => {
  write(world, { 'outside/told.txt': 'c' });
  const { ran, outputs } = await runObserved(world, 'next', '--since', 'taken');
  expect({ ran, file: outputs['file'] }).toEqual({ ran: ['file'], file: 'c' });
});

test("with another machine's key variables cannot be compared: the node runs, and why says so", async () => {
  const argv = ['run', 'flow', '--data', 'rows.jsonl', '--name', 'other', '--since', 'next', '--json'];
  const elsewhere = { XDG_STATE_HOME: join(world.folder, 'elsewhere') };
  const { stdout } = await startFlow(argv, { folder: world.folder, environment: elsewhere }).ended;
  const { nodes } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly nodes: object };
  expect(nodes).toMatchObject({ key: { completed: 2, cached: 0 }, file: { completed: 2, cached: 2 } });
  const { stdout: why } = await world.flow('why', 'other', '--row', '0', '--node', 'key', '--no-color');
  expect(why).toContain(
    'ran: environment variable TOLD_API_KEY (of another machine, which cannot be compared) changed',
  );
});
