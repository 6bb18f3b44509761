import { promptFlowModules } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { createTestFlow, type TestFlow, type TestFlowOptions } from './python-test-flow.ts';

const flowOf = (files: Readonly<Record<string, string>>, options: TestFlowOptions = {}): TestFlow =>
  createTestFlow(files, { standIns: [promptFlowModules], ...options });

const head = 'from promptflow.core import tool\n';
const body = '\n@tool\ndef run(x):\n    return x\n';

test.for<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['a module', { 'n.py': 'import a', 'a.py': '' }, ['code a.py']],
  [
    'a module of a package, with what the package runs',
    { 'n.py': 'import p.q.r as r', 'p/__init__.py': 'import a', 'p/q/__init__.py': '', 'p/q/r.py': '', 'a.py': '' },
    ['code a.py', 'code p/__init__.py', 'code p/q/__init__.py', 'code p/q/r.py'],
  ],
  ['from a package, a module', { 'n.py': 'from p import q', 'p/q.py': '' }, ['code p/q.py']],
  [
    'a relative import in a package',
    { 'n.py': 'from p.q import f', 'p/q.py': 'from .r import f', 'p/r.py': 'f = 1' },
    ['code p/q.py', 'code p/r.py'],
  ],
  [
    'in a function, by name',
    { 'n.py': 'def f():\n    import a\nimport importlib\nimportlib.import_module("b")', 'a.py': '', 'b.py': '' },
    ['code a.py', 'code b.py'],
  ],
  ['what is installed, and a comment', { 'n.py': 'import json, os.path\n# import a', 'a.py': '' }, []],
  ['in a circle', { 'n.py': 'import a', 'a.py': 'import b', 'b.py': 'import a' }, ['code a.py', 'code b.py']],
  [
    'a module that is not read as Python',
    { 'n.py': 'try:\n    import a\nexcept SyntaxError:\n    pass', 'a.py': 'def (' },
    ['code a.py'],
  ],
  [
    'files and folders named',
    { 'n.py': 'F = "data"\nG = "data/x.json"\nH = f"{F}.txt"', 'data/x.json': '', 'data.txt': '' },
    ['reads data', 'reads data/x.json'],
  ],
  [
    'seen from the module',
    { 'n.py': 'import p.q', 'p/q.py': 'F = "words.txt"', 'p/words.txt': '' },
    ['code p/q.py', 'reads p/words.txt'],
  ],
  [
    'a relative import by name, and one that begins with a package',
    {
      'n.py': 'import p.q\nimport importlib\ndef f(x):\n    return importlib.import_module(f"plugins.{x}")',
      'p/__init__.py': '',
      'p/q.py': 'import importlib\nimportlib.import_module(".r", __package__)',
      'p/r.py': '',
      'plugins/a.py': 'import b',
      'b.py': '',
    },
    ['code b.py', 'code p/__init__.py', 'code p/q.py', 'code p/r.py', 'code plugins/a.py'],
  ],
  [
    'a module by a path of its own',
    {
      'n.py': 'import os, sys\nsys.path.insert(0, os.path.dirname(__file__) + "/lib")\nimport a',
      'lib/a.py': 'import b',
      'lib/b.py': '',
    },
    ['code lib/a.py', 'code lib/b.py'],
  ],
  [
    'a folder that a name begins with',
    { 'n.py': 'def f(x):\n    return f"data/{x}.json"', 'data/x.json': '' },
    ['reads data'],
  ],
  [
    'variables of the environment, but no secrets',
    { 'n.py': 'import os\nfrom os import getenv\nA = os.environ.get("A1"), getenv("A2"), os.environ.get("MY_KEY")' },
    ['variable A1', 'variable A2'],
  ],
  ['an installed package', { 'n.py': 'import pip' }, ['package pip']],
  ['requirements', { 'n.py': '', 'requirements.txt': 'numpy==2\n' }, ['reads requirements.txt']],
])('%s', async ([, files, expected]) => {
  await using flow = flowOf({ ...files, 'n.py': `${head}${files['n.py']}\n${body}` });
  const node = await flow.prepare('n.py', { references: ['x'] });
  const parts = await node.parts?.();
  expect(parts?.['python']).toMatch(/^3\.\d+$/);
  expect(
    Object.keys(parts ?? {})
      .filter((part) => part !== 'code n.py' && part !== 'variables' && part !== 'python')
      .sort(),
  ).toEqual(expected);
});

test('a file that a literal input names', async () => {
  await using flow = flowOf({ 'n.py': `${head}${body}`, 'config/a.yaml': 'a: 1\n' });
  const node = await flow.prepare('n.py', { literals: { x: 'config/a.yaml' } });
  expect(Object.keys((await node.parts?.()) ?? {})).toContain('reads config/a.yaml');
});
