import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFlowFiles } from './flow-files.ts';

const base = mkdtempSync(join(tmpdir(), 'flow-files-'));
const folder = join(base, 'flow');
mkdirSync(join(folder, 'inner'), { recursive: true });
mkdirSync(join(folder, 'node_modules'));
writeFileSync(join(folder, 'a.jinja2'), '\uFEFFhello');
writeFileSync(join(folder, 'inner', 'b.py'), '');
writeFileSync(join(folder, 'node_modules', 'c.js'), '');
writeFileSync(join(base, 'secret.txt'), 'secret');
symlinkSync(join(base, 'secret.txt'), join(folder, 'link.txt'));
afterAll(() => rmSync(base, { recursive: true }));

const files = createFlowFiles(folder, base);

test('a file is read without its byte order mark and shown from where the command was given', () => {
  expect(files.read('a.jinja2')).toEqual({ path: 'flow/a.jinja2', text: 'hello' });
});

test.for(['../secret.txt', '/etc/hostname', 'link.txt', 'inner/../../secret.txt'])(
  '%s leads out and is not read',
  (path) => {
    expect(files.resolve(path)).toBeUndefined();
    expect(files.read(path)).toBeUndefined();
  },
);

test('a name that begins with two points does not lead out', () => {
  const odd = mkdtempSync(join(base, 'odd-'));
  mkdirSync(join(odd, '..old'));
  writeFileSync(join(odd, '..old', 'd.txt'), 'd');
  expect(createFlowFiles(odd, odd).read('..old/d.txt')).toEqual({ path: '..old/d.txt', text: 'd' });
});

test('what does not exist, and a folder, is no file', () => {
  expect(files.read('none.txt')).toBeUndefined();
  expect(files.read('inner')).toBeUndefined();
});

test('the listing leaves out installed packages', () => {
  expect(files.list()).toEqual(['a.jinja2', 'inner/b.py', 'link.txt']);
});

test('a path that names nothing is no file: it holds a zero byte, is too long, or leads over links in a circle', () => {
  const circle = mkdtempSync(join(base, 'circle-'));
  symlinkSync('b', join(circle, 'a'));
  symlinkSync('a', join(circle, 'b'));
  for (const path of ['a\0b', 'a'.repeat(5000), 'a']) expect(createFlowFiles(circle, base).read(path)).toBeUndefined();
});

test('a byte order mark that is not at the begin of a file is one of its characters', () => {
  const folder = mkdtempSync(join(base, 'marks-'));
  writeFileSync(join(folder, 'a.jinja2'), '\uFEFFa\uFEFFb');
  writeFileSync(join(folder, 'b.jinja2'), 'a\uFEFFb');
  const { read } = createFlowFiles(folder, folder);
  expect([read('a.jinja2')?.text, read('b.jinja2')?.text]).toEqual(['a\uFEFFb', 'a\uFEFFb']);
});

test('code that lies outside is read as that, and neither what a link leads to nor what is too long', () => {
  const outer = mkdtempSync(join(base, 'outer-'));
  const own = join(outer, 'flow');
  mkdirSync(own);
  writeFileSync(join(outer, 'a.ts'), '1');
  writeFileSync(join(own, 'b.ts'), '2');
  symlinkSync(join(outer, 'a.ts'), join(own, 'link.ts'));
  writeFileSync(join(outer, 'long.ts'), ' '.repeat(1_000_001));
  const { readImported } = createFlowFiles(own, outer);
  const read = ['../a.ts', 'b.ts', 'link.ts', '../long.ts', '../none.ts', '..'].map(
    (path) => readImported?.(path)?.path,
  );
  expect(read).toEqual(['a.ts', undefined, undefined, undefined, undefined, undefined]);
});
