import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/cli.md'), 'utf8');

test('every command has its row in docs/cli.md', async () => {
  using world = createTestWorld();
  const { stdout } = await world.flow('--help');
  const [, listed = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
  expect(names.length).toBeGreaterThan(20);
  const rows = page.split('\n').filter((line) => line.startsWith('| `flow '));
  expect(names.filter((name) => !rows.some((row) => row.startsWith(`| \`flow ${name}`)))).toEqual([]);
});
