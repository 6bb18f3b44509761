import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startOpenAiServer } from '@unroll/nodes/testing';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InstalledProject, installPackages } from './installed/install-packages.ts';

const root = join(import.meta.dirname, '..');
let project: InstalledProject;

beforeAll(() => {
  project = installPackages();
}, 180_000);
afterAll(() => rmSync(project.folder, { recursive: true, force: true }));

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The installed command, which is what users run: tests of the sources do not see what building breaks. */
function flow(...argv: readonly string[]): Promise<Said> {
  return flowWith({}, ...argv);
}

function flowWith(environment: Readonly<Record<string, string>>, ...argv: readonly string[]): Promise<Said> {
  const child = spawn(process.execPath, [project.flow, ...argv], {
    cwd: project.folder,
    env: { ...process.env, HOME: project.folder, ASK_KEY: 'k', ...environment },
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
  ['plan', 'agent', '--data', 'rows.csv'],
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
  ['connection', 'list'],
];

test('a newcomer’s session', { timeout: 180_000 }, async () => {
  writeFileSync(join(project.folder, 'rows.csv'), 'query\nconsent\nretention\n');
  for (const argv of session) {
    const { code, stderr, stdout } = await flow(...argv);
    expect({ argv, code, stderr: code === 0 ? '' : `${stderr}${stdout}` }).toEqual({ argv, code: 0, stderr: '' });
  }
  expect(existsSync(join(project.folder, 'diff.html'))).toBe(true);
  const [, build] = /build ([0-9a-f]{12})/.exec((await flow('version')).stdout) ?? [];
  const { left } = JSON.parse((await flow('diff', 'many', 'again', '--json')).stdout) as { readonly left: unknown };
  expect(left).toMatchObject({ made_with: { version: '0.1.0', build } });
  expect((await flow('gc', '--keep', '1', '--yes')).code).toBe(0);
});

test('what is compiled at one start is kept for the next', async () => {
  const temporary = join(project.folder, 'temporary');
  mkdirSync(temporary);
  expect((await flowWith({ TMPDIR: temporary }, '--help')).code).toBe(0);
  expect(globSync('node-compile-cache/*/*', { cwd: temporary }).length).toBeGreaterThan(0);
});

test('a model is asked through the real client', { timeout: 60_000 }, async () => {
  await using server = await startOpenAiServer([{ message: { role: 'assistant', content: 'Bonjour' } }]);
  const ask = join(project.folder, 'ask');
  mkdirSync(ask);
  writeFileSync(
    join(ask, 'connections.yaml'),
    `mine:\n  type: open_ai\n  base_url: ${server.url}/v1\n  api_key: \${env:ASK_KEY}\n`,
  );
  writeFileSync(join(ask, 'ask.jinja2'), 'user:\n{{ q }}\n');
  writeFileSync(
    join(ask, 'flow.dag.yaml'),
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

test('the contract of run logs is there for stores of other people, under no test runner', () => {
  const program = `
    import { createMemoryRunLog } from '@unroll/engine';
    import { runLogContract } from '@unroll/engine/testing';
    const open = (log) => Object.assign(Object.create(log), { [Symbol.asyncDispose]: async () => {} });
    const forgetful = (info) => Object.assign(createMemoryRunLog(info), { metrics: async () => ({}) });
    for (const create of [createMemoryRunLog, forgetful]) {
      const broken = [];
      for (const { name, run } of runLogContract({ create, open })) await run().catch(({ code }) => broken.push([name, code]));
      console.log(JSON.stringify(broken));
    }
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: project.folder,
    encoding: 'utf8',
  });
  const [whole, broken] = stdout.split('\n');
  expect({ whole, stderr }).toEqual({ whole: '[]', stderr: '' });
  expect(JSON.parse(broken ?? '')).toContainEqual(['a metric logged again is overwritten', 'ERR_ASSERTION']);
});

test('a flow whose code imports the libraries runs in a project that installed the command', async () => {
  cpSync(join(root, 'flows/privacy-agent'), join(project.folder, 'privacy-agent'), {
    recursive: true,
    filter: (path) => !path.includes('.flow'),
  });
  const { code, stdout } = await flow('run', 'privacy-agent', '--json');
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/"status": "answered"/) });
});

test('what the libraries read for a node is that node’s, not every node’s that imports them', async () => {
  const readsFile = (file: string): string => `const { openIndex } = require('@unroll/nodes/lookup');
module.exports = ({ q }) => openIndex(require('node:path').join(__dirname, '${file}')).search(q, { topK: 1 })[0].text;
`;
  const node = (name: string): string =>
    `- {name: ${name}, type: python, source: {type: code, path: ${name}.js}, inputs: {q: "\${inputs.q}"}}\n`;
  write(
    'two/flow.dag.yaml',
    `inputs: {q: {type: string}}
outputs: {first: {type: string, reference: "\${first.output}"}, second: {type: string, reference: "\${second.output}"}}
nodes:
${node('first')}${node('second')}`,
  );
  write('two/first.js', readsFile('first.jsonl'));
  write('two/second.js', readsFile('second.jsonl'));
  write('two/first.jsonl', '{"id": "1", "text": "apples are red"}\n');
  write('two/second.jsonl', '{"id": "1", "text": "apples are round"}\n');
  write('apples.jsonl', '{"q": "apples"}\n{"q": "red apples"}\n');
  const ran = async (name: string, ...more: readonly string[]): Promise<readonly string[]> => {
    const argv = ['run', 'two', '--data', 'apples.jsonl', '--name', name, '--json', ...more];
    const { code, stdout, stderr } = await flow(...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { nodes } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      readonly nodes: Readonly<Record<string, { readonly completed: number; readonly cached: number }>>;
    };
    return Object.entries(nodes).flatMap(([node, { completed, cached }]) => (cached < completed ? [node] : []));
  };
  expect(await ran('two-before')).toEqual(['first', 'second']);
  expect(await ran('two-same', '--since', 'two-before')).toEqual([]);
  write('two/second.jsonl', '{"id": "1", "text": "apples are sweet"}\n');
  expect(await ran('two-after', '--since', 'two-before')).toEqual(['second']);
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project.folder, file)), { recursive: true });
  writeFileSync(join(project.folder, file), text);
}

test('code of flows is checked against the types of the libraries', { timeout: 60_000 }, () => {
  writeFileSync(
    join(project.folder, 'typed.ts'),
    `import { functionNode } from '@unroll/nodes/functions';
import { openIndex } from '@unroll/nodes/lookup';
export default functionNode({ search: ({ query }) => openIndex('faq.jsonl').search(String(query), { topK: 3 }) });
const wrong: number = functionNode;
export { wrong };
`,
  );
  const options = '--noEmit --strict --module nodenext --target es2024 --types node --typeRoots';
  const typeRoots = join(root, 'node_modules/@types');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const argv = [tsc, 'typed.ts', ...options.split(' '), typeRoots];
  const { stdout } = spawnSync(process.execPath, argv, { cwd: project.folder, encoding: 'utf8' });
  const mistakes = stdout.split('\n').filter((line) => line.includes('error'));
  expect(mistakes).toEqual([expect.stringMatching(/^typed\.ts\(4,7\): error TS2322: Type '\(functions: /)]);
});

test('what the bundle leaves out is installed with it, and nothing else', async () => {
  const { outputs } = (
    await build({
      entryPoints: ['main.js', 'thread-entry.js'].map((file) => join(project.flow, '..', file)),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      outdir: project.folder,
      write: false,
      metafile: true,
    })
  ).metafile;
  const named = Object.values(outputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path))
    .filter((path) => !path.startsWith('node:') && !builtinModules.includes(path));
  const libraries = new Set(named.map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/')));
  const { dependencies } = createRequire(project.flow)('../package.json') as { readonly dependencies: object };
  const installed = Object.keys(dependencies).filter((name) => !name.startsWith('@unroll/'));
  expect([...libraries].sort()).toEqual(installed.sort());
});
