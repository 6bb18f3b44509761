import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-made-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('makes a folder and those above it, and leaves what is there', () => {
  const deep = join(temporary(), 'a/b/c');
  makeFolder(deep, 0o700);
  makeFolder(deep);
  expect([deep, join(deep, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
});

test.skipIf(!existsSync('/proc/self'))('comes to an end where nothing can be made', () => {
  expect(() => makeFolder('/proc/unroll/deep')).toThrow(/ENOENT/);
});

test('a file in the way is told', () => {
  const file = join(temporary(), 'a');
  writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow(/EEXIST/);
  expect(() => makeFolder(join(file, 'b'))).toThrow(/ENOTDIR|EEXIST/);
});
