import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPackages } from './recipes/copy-packages.ts';
import { type RecipeBlock, readRecipes } from './recipes/read-recipes.ts';

const root = join(import.meta.dirname, '..');
const { blocks, tries } = readRecipes(readFileSync(join(root, 'docs/internals/recipes.md'), 'utf8'));
const copy = mkdtempSync(join(tmpdir(), 'unroll-recipes-'));

beforeAll(() => {
  copyPackages(root, copy);
  for (const block of blocks) add(block);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function add({ file, before, code }: RecipeBlock): void {
  const path = join(copy, file);
  mkdirSync(dirname(path), { recursive: true });
  if (before === undefined) {
    writeFileSync(path, code, { flag: 'wx' });
    return;
  }
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.trim().startsWith(before));
  if (at < 0) throw new Error(`no line of ${file} begins with ${before}`);
  writeFileSync(path, [...lines.slice(0, at), code.trimEnd(), ...lines.slice(at)].join('\n'));
}

test.each([
  ['A node type', 1, 1],
  ['A model service', 1, 2],
  ['An evaluator', 1, 1],
  ['A reporter', 1, 1],
  ['A command', 2, 1],
])('%s: %i new files, and %i that name it', (section, added, changed) => {
  const own = blocks.filter((block) => block.section === section);
  const files = (isNew: boolean): number =>
    new Set(own.filter(({ before }) => (before === undefined) === isNew).map(({ file }) => file)).size;
  expect([files(true), files(false)]).toEqual([added, changed]);
});

test.each(tries.map((one) => [one.command.join(' '), one] as const))('flow %s', (_, { command, lines }) => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(copy, 'packages/cli/bin/flow.js'), ...command], {
    cwd: copy,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: copy },
  });
  const printed = `${stdout}${stderr}`.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, '  '));
  expect(printed).toEqual(expect.arrayContaining(lines.map((line) => expect.stringContaining(line))));
});
