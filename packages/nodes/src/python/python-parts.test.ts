import { expect, test } from 'vitest';
import { createTestFlow } from './python-test-flow.ts';

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
  ['requirements', { 'n.py': '', 'requirements.txt': 'numpy==2\n' }, ['reads requirements.txt']],
])('%s', async ([, files, expected]) => {
  await using flow = createTestFlow({ ...files, 'n.py': `${head}${files['n.py']}\n${body}` });
  const node = await flow.prepare('n.py', { references: ['x'] });
  const parts = await node.parts?.();
  expect(
    Object.keys(parts ?? {})
      .filter((part) => part !== 'code n.py' && part !== 'variables')
      .sort(),
  ).toEqual(expected);
});
