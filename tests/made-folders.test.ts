import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const recursive = /\bmkdir(?:Sync)?\([^;]*?\brecursive: true/u;

/** Helpers of tests make folders where it can be done. */
const ofTests = /[\\/]testing[\\/]|\.test\.ts$/;

test('folders are made by makeFolder, since `recursive` of Node never ends where nothing can be made', () => {
  const files = globSync('packages/*/{src,bin}/**/*.{ts,js}', { cwd: root }).filter((file) => !ofTests.test(file));
  expect(files.length).toBeGreaterThan(700);
  expect(files.filter((file) => recursive.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test.each([
  'mkdirSync(folder, { recursive: true });',
  "mkdirSync(dirname(join(folder, 'x')), { recursive: true, mode: 0o700 });",
  'await mkdir(\n  folder,\n  { mode: 0o700, recursive: true },\n);',
])('%s is refused', (text) => expect(recursive.test(text)).toBe(true));

test.each(['cpSync(source, folder, { recursive: true });', 'mkdirSync(folder);\nrmSync(folder, { recursive: true });'])(
  '%s is not',
  (text) => expect(recursive.test(text)).toBe(false),
);
