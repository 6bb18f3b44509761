import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandSpec } from '../packages/cli/src/command-spec.ts';
import { commandTable } from '../packages/cli/src/command-table.ts';

const root = join(import.meta.dirname, '..');

/** Its commands are those it adds; tests/recipes.test.ts runs them. */
const example = join('internals', 'recipes.md');

function pages(): readonly string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return [
    'README.md',
    'README.ja.md',
    ...docs.filter((name) => name.endsWith('.md') && name !== example).map((name) => `docs/${name}`),
  ];
}

/** The command lines of a page: lines of its blocks and pieces of code in its text that begin with `flow`. */
function commandLines(text: string): readonly string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  const blocks = [...joined.matchAll(/```[\s\S]*?```|(?:^ {4}.*\n)+/gm)].map(([block]) => block).join('\n');
  const shown = [...blocks.matchAll(/^ *(?:\$ )?(flow [a-z].*)$/gm)].map(([, line = '']) => line);
  const named = [...joined.matchAll(/`(flow [a-z][^`\n]*)`/g)].map(([, line = '']) => line);
  return [...new Set([...shown, ...named])];
}

/** Words as a shell would hand them over, without what is told beside (`# …`, `or`, `| …`). */
function words(line: string): readonly string[] {
  const command = line
    .replace(/\s+#.*$/, '')
    .replace(/\s+[|>].*$/, '')
    .replace(/ {2,}.*$/, '');
  return [...command.matchAll(/'[^']*'?|"[^"]*"?|\S+/g)].map(([word]) => word).slice(1);
}

function named(line: readonly string[], specs: readonly CommandSpec[]): CommandSpec | undefined {
  const spec = specs.find(({ name, aliases = [] }) => name === line[0] || aliases.includes(line[0] ?? ''));
  return spec?.commands === undefined || line.length < 2 || line[1] === '…'
    ? spec
    : named(line.slice(1), spec.commands);
}

/** What is wrong with a documented command line; nothing when the command and all its options are known. */
function mistakes(line: string): readonly string[] {
  const given = words(line);
  if (given[0]?.startsWith('help') === true) return [];
  const spec = named(given, commandTable);
  if (spec === undefined) return [`${line}: no such command`];
  const known = new Set(['--help', ...spec.options.flatMap(({ flags }) => flags.match(/--?[a-z][a-z0-9-]*/g) ?? [])]);
  const options = given.flatMap((word) => /^--?[a-z][a-z0-9-]*(?==|[,.:)]?$)/.exec(word)?.[0] ?? []);
  return options.filter((option) => !known.has(option)).map((option) => `${line}: ${spec.name} has no ${option}`);
}

test('there are command lines in the pages', () => {
  const found = pages().flatMap((page) => commandLines(readFileSync(join(root, page), 'utf8')));
  expect(found.length).toBeGreaterThan(200);
});

test('a command line with an option that is not there is seen', () => {
  expect(mistakes('flow run x --dataa d.jsonl')).toEqual(['flow run x --dataa d.jsonl: run has no --dataa']);
  expect(mistakes('flow rum x')).toEqual(['flow rum x: no such command']);
});

test.for(pages())('every command line of %s is one flow takes', (page) => {
  expect(commandLines(readFileSync(join(root, page), 'utf8')).flatMap(mistakes)).toEqual([]);
});
