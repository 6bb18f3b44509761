import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestFlow, runNode } from '../testing/test-flow.ts';

test.for([
  ['the package is not installed', 'tidings_of_nobody/core', { ok: true, output: 'stood in' }],
  ['it is installed without the folder by which it is known', 'email/core', { ok: true, output: 'stood in' }],
  ['it is installed', 'email/mime', { ok: false, error: { code: 'PythonLoadError' } }],
] as const)('a module that stands in for a package is imported where it may: %s', async ([, unless, expected]) => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-modules-'));
  try {
    mkdirSync(join(folder, 'tidings'));
    writeFileSync(join(folder, 'tidings/__init__.py'), 'def tell():\n    return "stood in"\n');
    await using flow = createTestFlow(
      { 't.py': 'from tidings import tell\n\n\ndef t():\n    return tell()\n' },
      { workers: 1, standIns: [{ folder, unless }] },
    );
    const prepared = flow.prepare('t.py');
    if (!expected.ok) return await expect(prepared).rejects.toMatchObject({ error: expected.error });
    expect(await runNode(await prepared)).toMatchObject(expected);
    // That the flow has no such module of its own is seen, and no file of the stand-in.
    expect(Object.keys((await prepared).reads?.() ?? {})).toEqual(['code t.py', 'reads tidings', 'reads tidings.py']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what raises in it is none of the user's lines", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-modules-'));
  try {
    writeFileSync(join(folder, 'tidings.py'), 'def tell():\n    raise ValueError("none")\n');
    await using flow = createTestFlow(
      { 't.py': 'from tidings import tell\n\n\ndef t():\n    return tell()\n' },
      { workers: 1, standIns: [{ folder, unless: 'tidings_of_nobody/core' }] },
    );
    expect(await runNode(await flow.prepare('t.py'))).toMatchObject({ ok: false, error: { trace: ['t.py:5 in t'] } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
