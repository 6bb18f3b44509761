import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../../testing/test-io.ts';
import { writeFiles } from '../../testing/write-files.ts';

const environment = { PATH: process.env['PATH'] ?? '', PIP_NO_INDEX: '1' };

const flow = {
  'f/flow.dag.yaml': `outputs: {said: {type: string, reference: "\${say.output}"}}
nodes:
- {name: say, type: python, source: {type: code, path: say.py}, inputs: {}}
`,
  'f/say.py': 'from promptflow.core import tool\nimport greeting\n\n@tool\ndef say():\n    return greeting.word\n',
  'f/requirements.txt': './greeting-1.0-py3-none-any.whl\n',
};

test.for([
  [
    'from promptflow.core import tool\nmark = tool\ndef say(): return 1\n',
    'Put `@tool` above the function that is the node: from promptflow.core import tool',
  ],
  [
    'from promptflow.core import tool\n@tool\ndef a(): return 1\nb = tool(lambda: 2)\n',
    'Leave `@tool` on one of them; another node has its tool in a file of its own.',
  ],
] as const)('a Python file that turns out to be without its one tool as it is loaded: %j', async ([text, help]) => {
  using world = createTestWorld({ environment });
  writeFiles(world.folder, { ...flow, 'f/requirements.txt': '', 'f/say.py': text });
  const { code, stderr } = await world.flow('run', 'f');
  expect([code, stderr.endsWith(`\n${help}\n`)]).toEqual([2, true]);
});

test('what cannot be installed leaves nothing behind', { timeout: 120_000 }, async () => {
  using world = createTestWorld({ environment });
  writeFiles(world.folder, { ...flow, 'f/requirements.txt': 'no-such-package==1\n' });
  const { code, stderr } = await world.flow('python', 'setup', 'f');
  expect(code).toBe(1);
  expect(stderr).toBe(
    'error: there is no no-such-package==1 for this Python\nCorrect its name or version in requirements.txt.\n',
  );
  expect(readdirSync(join(world.folder, 'f/.flow/python'))).toEqual(['.gitignore']);
  expect(readFileSync(join(world.folder, 'f/.flow/python/.gitignore'), 'utf8')).toBe('*\n');
});

test('names of packages that lie beside the requirements are told before anything is installed', async () => {
  using world = createTestWorld({ environment });
  const text = '# ours\nour-shop>=1\nhelpers # ours too\n./our_shop\nno-such-package==1\n-r more.txt\n';
  writeFiles(world.folder, {
    ...flow,
    'f/requirements.txt': text,
    'f/more.txt': '',
    'f/our_shop/pyproject.toml': '',
    'f/helpers/__init__.py': '',
  });
  const { code, stderr } = await world.flow('python', 'setup', 'f');
  expect(code).toBe(1);
  expect(stderr.split('\n').slice(0, 2)).toEqual([
    'warning: requirements.txt names our-shop, which is installed from the package index: write ./our_shop for the folder beside it',
    'warning: requirements.txt names helpers, which is installed from the package index: leave it out for the folder helpers beside it, which code imports as it is',
  ]);
});

test('a line of pip that is longer than a screen is cut', { timeout: 120_000 }, async () => {
  using world = createTestWorld({ environment });
  const name = `no-such-package-${'x'.repeat(300)}`;
  writeFiles(world.folder, { ...flow, 'f/requirements.txt': `${name}\n` });
  const { stdout } = await world.flow('python', 'setup', 'f');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(170);
  expect(stdout).toContain('  ERROR: Could not find a version');
});

test('without Python it says what was looked for', async () => {
  using world = createTestWorld({ environment: { PATH: '/nowhere' } });
  writeFiles(world.folder, flow);
  const { code, stderr } = await world.flow('python', 'setup', 'f');
  expect([code, stderr]).toEqual([
    2,
    'error: no Python was found: looked for python3, python\nInstall Python 3.9 or newer, or name it in UNROLL_PYTHON.\n',
  ]);
  expect(existsSync(join(world.folder, 'f/.flow'))).toBe(false);
});

test('a module that no requirements name is told with the ways to have it', async () => {
  using world = createTestWorld({ environment });
  writeFiles(world.folder, { 'f/flow.dag.yaml': flow['f/flow.dag.yaml'], 'f/say.py': flow['f/say.py'] });
  expect((await world.flow('run', 'f')).stderr).toContain(
    'help: list its package (pip install greeting) in a requirements.txt and run flow python setup f, or name a Python that has it: UNROLL_PYTHON=venv/bin/python\n',
  );
});

test.for([
  { imports: 'from promptflow.client import PFClient', name: 'promptflow.client' },
  { imports: 'from promptflow.core import Flow', name: 'promptflow.core.Flow' },
])('what the stand-in for promptflow lacks is told: $imports', async ({ imports, name }) => {
  using world = createTestWorld({ environment });
  writeFiles(world.folder, { 'f/flow.dag.yaml': flow['f/flow.dag.yaml'], 'f/say.py': `${imports}\n` });
  expect((await world.flow('run', 'f')).stderr).toContain(
    `help: what comes with flow in place of promptflow has no ${name}: list promptflow in a requirements.txt and run flow python setup f, or`,
  );
});
