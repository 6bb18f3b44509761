import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { flowPython } from './flow-python.ts';

test('a folder called requirements.txt lists no requirements', ({ expect }) => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-flow-python-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const list = join(folder, 'requirements.txt');
  mkdirSync(list);
  expect(flowPython(folder)).toMatchObject({ requirements: undefined, isReady: false });
  rmSync(list, { recursive: true });
  writeFileSync(list, 'numpy\n');
  expect(flowPython(folder)).toMatchObject({ requirements: list, isReady: false });
});
