import { spawn, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
let folder = '';

beforeAll(() => {
  const built = spawnSync(process.execPath, [join(root, 'packages/cli/build.ts')], { encoding: 'utf8' });
  expect(built.stderr).toBe('');
  folder = mkdtempSync(join(tmpdir(), 'unroll-bundle-'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The bundled command, which is what users run: tests of the source do not see what bundling breaks. */
function flow(...argv: readonly string[]): Promise<Said> {
  return flowWith({}, ...argv);
}

function flowWith(environment: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Said> {
  const child = spawn(process.execPath, [join(root, 'packages/cli/dist/flow.js'), ...argv], {
    cwd: folder,
    env: { ...process.env, HOME: folder, BUNDLE_KEY: 'k', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => {
    said.stdout += text;
  });
  child.stderr.on('data', (text) => {
    said.stderr += text;
  });
  return new Promise((ended) => child.on('close', (code) => ended({ code, ...said })));
}

/** Commands in the order in which a newcomer gives them; each builds on those before. */
const session: readonly (readonly string[])[] = [
  ['init', 'agent'],
  ['check', 'agent'],
  ['expand', 'agent'],
  ['graph', 'agent', '--svg', 'agent.svg'],
  ['run', 'agent', '--input', 'query=consent', '--name', 'one'],
  ['show', 'one', '--json'],
  ['run', 'agent', '--data', 'rows.csv', '--name', 'many', '--quiet'],
  ['run', 'agent', '--data', 'rows.csv', '--since', 'many', '--name', 'again', '--quiet'],
  ['diff', 'many', 'again', '--html', 'diff.html'],
  ['why', 'again', '--row', '0', '--node', 'agent_1'],
  ['export', 'many', '--out', 'rows.parquet'],
  ['run', 'agent', '--data', 'rows.parquet', '--column-mapping', 'query=${data.inputs.query}', '--quiet'],
  ['init', 'code', '--template', 'python'],
  ['run', 'code'],
  ['runs'],
  ['gc', '--keep', '1', '--yes'],
  ['connection', 'list'],
];

test('a newcomer’s session', { timeout: 180_000 }, async () => {
  writeFileSync(join(folder, 'rows.csv'), 'query\nconsent\nretention\n');
  for (const argv of session) {
    const { code, stderr, stdout } = await flow(...argv);
    expect({ argv, code, stderr: code === 0 ? '' : `${stderr}${stdout}` }).toEqual({ argv, code: 0, stderr: '' });
  }
  expect(existsSync(join(folder, 'diff.html'))).toBe(true);
});

test('a bulk run takes the code of V8 that an earlier one kept', { timeout: 60_000 }, async () => {
  const cache = join(folder, 'kept-code');
  const kept = () =>
    globSync('*/flow-*', { cwd: cache }).map((file) => `${file} ${statSync(join(cache, file)).mtimeMs}`);
  writeFileSync(join(folder, 'few.csv'), 'query\nconsent\nretention\n');
  const run = () => flowWith({ NODE_COMPILE_CACHE: cache }, 'run', 'agent', '--data', 'few.csv', '--quiet');
  expect((await run()).code).toBe(0);
  const before = kept();
  expect(before).toHaveLength(1);
  expect((await run()).code).toBe(0);
  // Code that V8 refuses is written anew.
  expect(kept()).toEqual(before);
});

/** `const { parse, Client: Other } = await import('csv-parse')`, wherever our code loads a library late. */
const lateImport = /const \{([^}]*)\} = \(?await import\('((?!node:|@unroll\/)[^.'][^']*)'/g;

function lateImports(): readonly { readonly library: string; readonly names: readonly string[] }[] {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/testing/**'] });
  return sources.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(lateImport)].map(([, names = '', library = '']) => ({
      library,
      names: names
        .split(',')
        .flatMap((name) => name.trim().split(':').slice(0, 1))
        .filter((name) => name !== ''),
    })),
  );
}

test('the libraries beside the bundle have what our code takes of them', { timeout: 60_000 }, async () => {
  const found = lateImports();
  expect(found.length).toBeGreaterThan(15);
  const libraries = join(root, 'packages/cli/dist/libraries');
  for (const { library, names } of found) {
    const file = library.replaceAll(/[^\w.-]/g, '_');
    const path = ['.js', '.cjs'].map((ending) => join(libraries, file + ending)).find((path) => existsSync(path));
    expect({ library, path }).toEqual({ library, path: expect.any(String) });
    // Loaded by bin/bundled.js, and asked for in the test below.
    if (path?.endsWith('.cjs') !== false) continue;
    const exported = Object.keys((await import(path)) as object);
    expect({ library, missing: names.filter((name) => !exported.includes(name)) }).toEqual({ library, missing: [] });
  }
});

test('a model is asked through the real client', { timeout: 60_000 }, async () => {
  await using server = await startOpenAiServer([{ message: { role: 'assistant', content: 'Bonjour' } }]);
  mkdirSync(join(folder, 'ask'));
  writeFileSync(
    join(folder, 'ask/connections.yaml'),
    `mine:\n  type: open_ai\n  base_url: ${server.url}/v1\n  api_key: \${env:BUNDLE_KEY}\n`,
  );
  writeFileSync(join(folder, 'ask/ask.jinja2'), 'user:\n{{ q }}\n');
  writeFileSync(
    join(folder, 'ask/flow.dag.yaml'),
    `inputs: {q: {type: string}}
outputs: {answer: {type: string, reference: "\${ask.output}"}}
nodes:
- name: ask
  type: llm
  source: {type: code, path: ask.jinja2}
  inputs: {model: gpt-4o-mini, q: "\${inputs.q}"}
  connection: mine
  api: chat
`,
  );
  const { code, stdout, stderr } = await flow('run', 'ask', '--input', 'q=hello', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'Completed', outputs: { answer: 'Bonjour' } });
});
