import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildStudio } from './build-studio.ts';

const budget = 200_000;

test('the page weighs no more than 200 kB compressed, and asks nobody else for anything', async () => {
  const folder = await buildStudio();
  const assets = readdirSync(join(folder, 'assets')).map((name) => join(folder, 'assets', name));
  const files = [join(folder, 'index.html'), ...assets];
  const weight = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  expect(weight).toBeGreaterThan(10_000);
  expect(weight).toBeLessThanOrEqual(budget);
  const addresses = files.flatMap((file) => readFileSync(file, 'utf8').match(/https?:\/\/[\w.-]+/g) ?? []);
  // Namespaces of SVG, XHTML and MathML, which are names, and what Prompt flow's advice names: neither is asked for.
  const named = ['http://www.w3.org', 'https://aka.ms'];
  expect([...new Set(addresses)].filter((address) => !named.includes(address))).toEqual([]);
});

test('the page is the same wherever and by whatever it is built: it names no file of the machine', async () => {
  const folder = await buildStudio();
  const scripts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'));
  const text = scripts.map((name) => readFileSync(join(folder, 'assets', name), 'utf8')).join('\n');
  expect(text).toContain('unroll-export');
  expect(text).not.toContain(import.meta.dirname.slice(0, -'build'.length));
  expect(text).not.toMatch(/\.tsx/);
});

test('nothing in the page needs what its content security policy refuses', async () => {
  const html = readFileSync(join(await buildStudio(), 'index.html'), 'utf8');
  expect(html).toContain('<script type="module"');
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
});

test('it is built again only when its sources change', async () => {
  const folder = await buildStudio();
  const { ino } = statSync(folder);
  await buildStudio();
  expect(statSync(folder).ino).toBe(ino);
});

test('the words of both languages are the same ones', async () => {
  const { english } = await import('../src/words/english.ts');
  const { japanese } = await import('../src/words/japanese.ts');
  const names = (words: object, path = ''): readonly string[] =>
    Object.entries(words).flatMap(([name, word]) =>
      typeof word === 'object' ? names(word as object, `${path}${name}.`) : [`${path}${name}: ${typeof word}`],
    );
  expect(names(japanese)).toEqual(names(english));
  expect(Object.values(japanese).filter((word) => word === '')).toEqual([]);
});
