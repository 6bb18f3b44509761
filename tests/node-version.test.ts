import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const [, bound = ''] = /engines = \{ node: '>=(\d+\.\d+)' \}/.exec(read('release/stage-packages.ts')) ?? [];

test.for([
  'README.md',
  'README.ja.md',
  'docs/guide/install.md',
  'release/command-line.md',
  'packages/cli/bin/installed.js',
])('%s names the oldest Node that the packages take', (path) => {
  expect(bound).toMatch(/^22\.\d+$/);
  expect(read(path)).toMatch(new RegExp(`Node\\D{0,30}${bound.replace('.', '\\.')}`));
});

test('no package of ours takes an older Node than what it depends on', () => {
  const asked = globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
    const { dependencies = {} } = JSON.parse(read(path)) as { dependencies?: Record<string, string> };
    return Object.keys(dependencies).flatMap((name) => {
      const manifest = join(path, '..', 'node_modules', name, 'package.json');
      if (name.startsWith('@unroll/') || !existsSync(join(root, manifest))) return [];
      const { engines } = JSON.parse(read(manifest)) as { engines?: { node?: string } };
      return [{ name, node: engines?.node ?? '*' }];
    });
  });
  expect(asked.map(({ name }) => name)).toContain('undici');
  expect(asked.filter(({ node }) => !takes(node, bound))).toEqual([]);
});

/** Whether one of the ranges `A || B` lets in what is at least `version`; only lower bounds of that line are looked at. */
function takes(ranges: string, version: string): boolean {
  return ranges.split('||').some((range) => {
    const [, major = '0', minor = '0'] = /(\d+)(?:\.(\d+))?/.exec(range) ?? [];
    const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
    if (range.trim().startsWith('^') && Number(major) !== ownMajor) return false;
    return Number(major) < ownMajor || (Number(major) === ownMajor && Number(minor) <= ownMinor);
  });
}
