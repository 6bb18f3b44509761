import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helpSections } from '../packages/cli/src/command-table.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/cli.md'), 'utf8');

test('docs/cli.md has the groups of the help, and a row for each of their commands', () => {
  const sections = page.split(/^## /m).slice(1, helpSections.length + 1);
  const written = sections.map((section) => ({
    heading: section.slice(0, section.indexOf('\n')),
    commands: [...section.matchAll(/^\| `flow ([a-z-]+)/gm)].map(([, name]) => name),
  }));
  const known = helpSections.map(({ heading, commands }) => ({ heading, commands: commands.map(({ name }) => name) }));
  expect(written).toEqual(known);
});
