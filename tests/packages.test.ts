import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stagePackages } from '../release/stage-packages.ts';

const root = join(import.meta.dirname, '..');
let project = '';

/** A project as `npm init -y` and `npm install @unroll/cli` leave it, with the libraries of others taken from this workspace. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'unroll-packages-'));
  const modules = join(project, 'node_modules');
  stagePackages(join(modules, '@unroll'));
  for (const library of ['engine', 'nodes', 'evals'])
    linkDependencies(join(root, 'packages', library, 'node_modules'), modules);
  writeFileSync(join(project, 'package.json'), '{"name": "ours", "type": "commonjs"}\n');
}, 180_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

function linkDependencies(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') || name === '@unroll') continue;
    if (name.startsWith('@')) linkDependencies(join(from, name), join(to, name));
    else if (!existsSync(join(to, name))) {
      mkdirSync(dirname(join(to, name)), { recursive: true });
      symlinkSync(join(from, name), join(to, name));
    }
  }
}

function run(script: string, ...argv: readonly string[]): { readonly code: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...argv], { cwd: project, encoding: 'utf8' });
  return { code: status, said: stdout + stderr };
}

test('a flow whose code imports the libraries runs in a project that installed the command', {
  timeout: 60_000,
}, () => {
  cpSync(join(root, 'flows/privacy-agent'), join(project, 'privacy-agent'), {
    recursive: true,
    filter: (path) => !path.includes('.flow'),
  });
  const { code, said } = run('node_modules/@unroll/cli/dist/flow.js', 'run', 'privacy-agent', '--json');
  expect({ code, said }).toMatchObject({ code: 0, said: expect.stringMatching(/"status": "answered"/) });
});

test('what init writes runs there', { timeout: 60_000 }, () => {
  const flow = 'node_modules/@unroll/cli/dist/flow.js';
  expect(run(flow, 'init', 'mine')).toMatchObject({ code: 0 });
  expect(run(flow, 'run', 'mine')).toMatchObject({ code: 0, said: expect.stringContaining('completed in') });
});

test('code of flows is checked against the types of the libraries', { timeout: 60_000 }, () => {
  writeFileSync(
    join(project, 'typed.ts'),
    `import { functionNode } from '@unroll/nodes/functions';
import { openIndex } from '@unroll/nodes/lookup';
export default functionNode({ search: ({ query }) => openIndex('faq.jsonl').search(String(query), { topK: 3 }) });
const wrong: number = functionNode;
export { wrong };
`,
  );
  const options = '--noEmit --strict --module nodenext --target es2024 --types node --typeRoots';
  const typeRoots = join(root, 'node_modules/@types');
  const { said } = run(join(root, 'node_modules/typescript/bin/tsc'), 'typed.ts', ...options.split(' '), typeRoots);
  const mistakes = said.split('\n').filter((line) => line.includes('error'));
  expect(mistakes).toEqual([expect.stringMatching(/^typed\.ts\(4,7\): error TS2322: Type '\(functions: /)]);
});
