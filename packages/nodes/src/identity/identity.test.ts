import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { contentDigest } from './file-digest.ts';
import { createPackageLookup } from './package-imports.ts';

const { version: ownVersion } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly version: string;
};

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sources-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test('a package counts with all it depends on, and a linked folder with what it holds', () => {
  const identity = (files: Readonly<Record<string, string>>, isLinked = false): string | undefined => {
    const manifest = '{"version": "1.0.0", "dependencies": {"deep": "*"}}';
    const folder = folderWith({ 'flow/n.ts': '', 'packages/top/index.js': '', ...files });
    const at = isLinked ? 'packages/top' : 'flow/node_modules/top';
    mkdirSync(join(folder, 'flow/node_modules'), { recursive: true });
    mkdirSync(join(folder, at), { recursive: true });
    writeFileSync(join(folder, at, 'package.json'), manifest);
    if (isLinked) symlinkSync(join(folder, at), join(folder, 'flow/node_modules/top'));
    const found = createPackageLookup().identityOf('top', join(folder, 'flow'));
    rmSync(folder, { recursive: true });
    return found?.identity;
  };
  const deep = (version: string) => ({ 'flow/node_modules/deep/package.json': `{"version": "${version}"}` });
  expect(identity({})).toBe('1.0.0');
  expect(identity(deep('2.0.0'))).toMatch(/^1\.0\.0, with 1 more [0-9a-f]{12}$/);
  expect(identity(deep('2.0.0'))).toBe(identity({ ...deep('2.0.0'), 'flow/node_modules/top/note.md': 'other' }));
  expect(identity(deep('2.0.1'))).not.toBe(identity(deep('2.0.0')));
  expect(identity({}, true)).toBe(identity({}, true));
  expect(identity({ 'packages/top/index.js': 'export const a = 1' }, true)).not.toBe(identity({}, true));
});

test("a package of flow's own counts by its version, linked or not", () => {
  const identity = (content: string): string | undefined => {
    const folder = folderWith({
      'packages/nodes/package.json': '{"version": "1.2.3", "dependencies": {"deep": "*"}}',
      'packages/nodes/index.js': content,
      'flow/node_modules/deep/package.json': '{"version": "2.0.0"}',
    });
    mkdirSync(join(folder, 'flow/node_modules/@unroll'), { recursive: true });
    symlinkSync(join(folder, 'packages/nodes'), join(folder, 'flow/node_modules/@unroll/nodes'));
    const found = createPackageLookup().identityOf('@unroll/nodes/functions', join(folder, 'flow'));
    rmSync(folder, { recursive: true });
    return found?.identity;
  };
  expect([identity('one'), identity('other')]).toEqual(['1.2.3', '1.2.3']);
});

test("a package of flow's own that a flow's folder has not is the one that runs the flow, as its modules are given it", () => {
  const folder = folderWith({ 'flow/n.ts': '' });
  const identity = (specifier: string): string | undefined =>
    createPackageLookup().identityOf(specifier, join(folder, 'flow'))?.identity;
  const told = ['@unroll/nodes/functions', '@unroll/engine', '@unroll/no-such-package', 'vitest'].map(identity);
  rmSync(folder, { recursive: true });
  expect(told).toEqual([ownVersion, ownVersion, undefined, undefined]);
});

test('a folder is told by its names and contents', () => {
  const one = folderWith({ 'x/a': '1', 'x/b': '2' });
  const digest = (folder: string): string | undefined => contentDigest(join(folder, 'x'));
  const others = [
    { 'x/a': '1', 'x/b': '2' },
    { 'x/a': '1', 'x/b': '3' },
    { 'x/a': '1', 'x/c': '2' },
    { 'x/a': '1', 'x/b': '2', 'x/.git/HEAD': '1' },
  ].map(folderWith);
  expect(others.map((folder) => digest(folder) === digest(one))).toEqual([true, false, false, true]);
  expect(contentDigest(join(one, 'none'))).toBeUndefined();
  for (const folder of [one, ...others]) rmSync(folder, { recursive: true });
});
