import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
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

/** A wheel, which pip installs without a network: an archive of the module and what it is called. */
function writeWheel(folder: string): void {
  const make = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("greeting.py", "word = 'hello from a package'\\n")
    wheel.writestr("greeting-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0\\n")
    wheel.writestr("greeting-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("greeting-1.0.dist-info/RECORD", "greeting.py,,\\ngreeting-1.0.dist-info/METADATA,,\\ngreeting-1.0.dist-info/WHEEL,,\\ngreeting-1.0.dist-info/RECORD,,\\n")
`;
  execFileSync('python3', ['-c', make, join(folder, 'greeting-1.0-py3-none-any.whl')]);
}

test('what a flow requires is installed for it, and its nodes run there', { timeout: 120_000 }, async () => {
  using world = createTestWorld({ environment });
  writeFiles(world.folder, flow);
  writeWheel(join(world.folder, 'f'));
  const before = await world.flow('run', 'f', '--json');
  expect(JSON.parse(before.stdout).error.message).toContain("No module named 'greeting'");
  const told = await world.flow('run', 'f');
  expect(told.stderr).toContain(
    "f/say.py:2:8 error IMPORT_MISSING the module greeting is not found by the flow's Python\n",
  );
  expect(told.stderr).toContain('help: flow python setup f installs what requirements.txt lists\n');
  const made = await world.flow('python', 'setup', 'f');
  expect([made.code, made.stderr]).toEqual([0, '']);
  expect(made.stdout).toMatch(/\n✓ f\/\.flow\/python\/[0-9a-f]{12} is ready\n$/);
  const after = await world.flow('run', 'f', '--json');
  expect(JSON.parse(after.stdout).outputs).toEqual({ said: 'hello from a package' });
  const info = JSON.parse((await world.flow('python', 'info', 'f', '--json')).stdout);
  expect(info).toMatchObject({ from: 'flow python setup', requirements: 'f/requirements.txt, installed' });
  expect((await world.flow('python', 'setup', 'f')).stdout).toContain('is ready (--again makes it again)');
  writeFileSync(join(world.folder, 'f/requirements.txt'), `${flow['f/requirements.txt']}# more\n`);
  const stale = await world.flow('run', 'f', '--json');
  expect(stale.stderr).toBe('warning: requirements.txt changed since flow python setup: run that again\n');
});

test.for([
  ['def say(): return 1\n', 'Put `@tool` above the function that is the node: from promptflow.core import tool'],
  [
    'from promptflow.core import tool\n@tool\ndef a(): return 1\n@tool\ndef b(): return 2\n',
    'Leave `@tool` on one of them; another node has its tool in a file of its own.',
  ],
] as const)('a Python file without its one tool: %j', async ([text, help]) => {
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
  expect(readdirSync(join(world.folder, 'f/.flow/python'))).toEqual([]);
});

test('without Python it says what was looked for', async () => {
  using world = createTestWorld({ environment: { PATH: '/nowhere' } });
  writeFiles(world.folder, flow);
  const { code, stderr } = await world.flow('python', 'setup', 'f');
  expect([code, stderr]).toEqual([
    2,
    'error: no Python was found: looked for python3 and python\nInstall Python 3.9 or newer, or name it in UNROLL_PYTHON.\n',
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
