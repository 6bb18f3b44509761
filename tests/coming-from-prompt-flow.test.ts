import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createTestWorld } from '../packages/cli/src/testing/test-io.ts';

const here = new URL('.', import.meta.url).pathname;
const page = readFileSync(join(here, '../docs/coming-from-prompt-flow.md'), 'utf8');

/** Everything the command line of promptflow 1.18.5 has, as its help lists it; each needs a row. */
const theirs = [
  ...['init', 'test', 'validate', 'build', 'serve', 'save'].map((name) => `flow ${name}`),
  ...['create', 'show', 'show-details', 'show-metrics', 'list', 'stream', 'build', 'visualize'].map(
    (name) => `run ${name}`,
  ),
  ...['update', 'archive', 'restore', 'delete'].map((name) => `run ${name}`),
  ...['create', 'update', 'list', 'show', 'delete'].map((name) => `connection ${name}`),
  ...['config set', 'config show', 'tool init', 'tool list', 'tool validate', 'trace delete'],
  ...['service start', 'service stop', 'service status', 'upgrade'],
];

test.for(theirs)('pf %s has its row', (command) => {
  const [row] = page.split('\n').filter((line) => line.startsWith('|') && line.includes(`\`pf ${command}`));
  expect(row).toMatch(/`flow|not offered|Ctrl-C|shown as they end/);
});

test('the page names no command of pf that it does not have', () => {
  const [named] = page.split('## And back');
  const commands = [...(named ?? '').matchAll(/`pf ([a-z]+(?: [a-z-]+)?)/g)].map(([, command = '']) => command);
  expect(commands.length).toBeGreaterThan(30);
  expect(commands.filter((command) => !theirs.some((one) => `${one} `.startsWith(`${command} `)))).toEqual([]);
});

/** Commands of the page with something to work on, in its order; a name alone (`flow check`) is no line to run. */
function commandsOf(text: string): readonly string[] {
  const found = [...text.matchAll(/`(flow [a-z-]+ [^`]+)`/g)].map(([, command = '']) => command);
  // What a server answers is tested elsewhere, since it does not end; so is a folder to serve, which asks a registry for its lock.
  return [...new Set(found)].filter(
    (command) => !/^flow (?:run (?:--resume|FOLDER)|python setup|serve|build) /.test(`${command} `),
  );
}

/** Splits as a shell does, with both kinds of quotes. */
function wordsOf(command: string): readonly string[] {
  return [...command.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replaceAll(/['"]/g, ''));
}

/** A store of Prompt flow with one connection. */
function writeStore(home: string): void {
  mkdirSync(join(home, '.promptflow'), { recursive: true });
  using database = new DatabaseSync(join(home, '.promptflow/pf.sqlite'));
  database.exec('CREATE TABLE connection (connectionName TEXT, connectionType TEXT, configs TEXT, customConfigs TEXT)');
  database.exec(`INSERT INTO connection VALUES ('plain', 'Custom', '{}', '{"url": {"value": "u"}}')`);
}

test('every command of the page runs', { timeout: 600_000 }, async () => {
  using first = createTestWorld();
  const home = join(first.folder, 'home');
  const world = createTestWorld({ folder: first.folder, environment: { PATH: process.env['PATH'] ?? '', HOME: home } });
  cpSync(join(here, 'coming-from-prompt-flow'), world.folder, { recursive: true });
  writeStore(home);
  const commands = commandsOf(page);
  expect(commands.length).toBeGreaterThan(35);
  for (const command of commands) {
    const [, ...argv] = wordsOf(command);
    const { code, stdout, stderr } = await world.flow(...argv);
    expect({ command, code, said: code === 0 ? '' : `${stdout}${stderr}` }).toEqual({ command, code: 0, said: '' });
  }
});
