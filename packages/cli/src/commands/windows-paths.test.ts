import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const paths = [
  'C:\\data\\x.txt',
  'C:x.txt',
  'C:/data/x.txt',
  '..\\..\\x.txt',
  '..\\x.txt',
  'below\\x.txt',
  '\\\\server\\share\\x.txt',
  '//server/share/x.txt',
  '\\\\?\\C:\\data\\x.txt',
  'file:///C:/data/x.txt',
] as const;

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A flow in `flow`, with `x.txt` beside it, above it and below it: what is not to be found by such paths. */
function worldWith(flow: string, more: Readonly<Record<string, string>> = {}): TestWorld {
  const world = createTestWorld();
  const there = { 'x.txt': 'outside', 'flow/below/x.txt': 'below', 'flow/ok.txt': 'well' };
  writeFiles(world.folder, { ...there, 'flow/flow.dag.yaml': flow, ...more });
  return world;
}

const flowOf = (source: string, includes = ''): string => `${includes}inputs: {q: {type: string}}
outputs: {a: {type: string, reference: "\${p.output}"}}
nodes:
- {name: p, type: prompt, source: {type: code, path: ${JSON.stringify(source)}}, inputs: {q: "\${inputs.q}"}}
`;

const namesIn = ({ folder }: TestWorld): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.flow'));

test.for(paths)('a template at %s: the flow is refused with the place, nothing is read outside', async (path) => {
  using world = worldWith(flowOf(path));
  const { code, stdout } = await world.flow('check', 'flow');
  expect(code).toBe(2);
  expect(stdout).toMatch(/flow\.dag\.yaml:4:\d+ error FILE_(?:MISSING|OUTSIDE) /);
  expect(stdout).toContain(`"${path}"`);
  if (path === 'below\\x.txt') expect(stdout).toContain('did you mean "below/x.txt"?');
});

test.for(paths)('%s among additional_includes is told with its place', async (path) => {
  using world = worldWith(flowOf('ok.txt', `additional_includes: [${JSON.stringify(path)}]\n`));
  const before = namesIn(world);
  const { code, stdout, stderr } = await world.flow('run', 'flow', '--input', 'q=x');
  expect(code).toBe(2);
  expect(stdout + stderr).toMatch(/flow\.dag\.yaml:1:\d+ error INCLUDE_MISSING /);
  expect(stdout + stderr).toContain(`"${path}"`);
  expect(namesIn(world)).toEqual(before);
});

test.for(paths)('a picture at %s in a row of data fails that row, and no other', async (path) => {
  using world = worldWith(
    `inputs: {q: {type: image}}
outputs: {a: {type: string, reference: "\${p.output}"}}
nodes:
- {name: p, type: prompt, source: {type: code, path: ok.txt}, inputs: {q: "\${inputs.q}"}}
`,
    {
      'rows.jsonl': `${JSON.stringify({ q: { 'data:image/png;path': path } })}\n${JSON.stringify({ q: { 'data:image/png;base64': pixel } })}\n`,
    },
  );
  const run = await world.flow('run', 'flow', '--data', 'rows.jsonl', '--name', 'r', '--json');
  expect(run.code).toBe(1);
  const { stdout } = await world.flow('export', 'r');
  const [first, second] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly status: string; readonly error?: { readonly message: string } });
  expect([first?.status, second?.status]).toEqual(['Failed', 'Completed']);
  expect(first?.error?.message).toContain(
    path
      .replace(/^file:\/\/\/|^\/\//, '')
      .split(/[\\/]/)
      .at(-1),
  );
});

test.for(paths)('data at %s is told as missing', async (path) => {
  using world = worldWith(flowOf('ok.txt'));
  const { code, stderr } = await world.flow('run', 'flow', '--data', path);
  expect(code).toBe(2);
  expect(stderr).toContain(path);
  expect(stderr).not.toContain('flow itself failed');
});

test('such paths as texts go through a row, its record and an export as they are', async () => {
  using world = worldWith(flowOf('said.jinja2'), {
    'flow/said.jinja2': '{{ q }}',
    'rows.jsonl': paths.map((path) => `${JSON.stringify({ q: path })}\n`).join(''),
  });
  await world.flow('run', 'flow', '--data', 'rows.jsonl', '--name', 'r', '--quiet');
  const { stdout } = await world.flow('export', 'r');
  const said = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly outputs: { readonly a: string } }).outputs.a);
  expect(said).toEqual(paths);
});
