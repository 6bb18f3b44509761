import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandSpec, OptionSpec } from '../packages/cli/src/command-spec.ts';
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

/** The command lines of a page's blocks, also behind `npx`, a pipe or a variable. */
function shownLines(joined: string): readonly string[] {
  const blocks = [...joined.matchAll(/```[\s\S]*?```|(?:^ {4}.*\n)+/gm)].map(([block]) => block).join('\n');
  const before = /(?:\$ )?(?:[A-Z_]+=\S+ |printf .*\| |.*&& )?(?:npx (?:-y pnpm@10 )?)?/.source;
  return [...blocks.matchAll(new RegExp(`^ *${before}(flow [a-z].*)$`, 'gm'))].map(([, line = '']) => line);
}

/** All command lines of a page: those of its blocks, and pieces of code in its text that begin with `flow`. */
function commandLines(text: string): Readonly<Record<'shown' | 'named', readonly string[]>> {
  const joined = text.replaceAll(/ *\\\n\s*/g, ' ');
  const named = [...joined.matchAll(/`(flow [a-z][^`\n]*)`/g)].map(([, line = '']) => line);
  return { shown: [...new Set(shownLines(joined))], named: [...new Set(named)] };
}

/** Words as a shell would hand them over, without what is told beside (`# …`, `| …`, `says …`). */
function words(line: string): readonly string[] {
  const command = line
    .replace(/\s+#.*$/, '')
    .replace(/\s+[|>].*$/, '')
    .replace(/ (?:says|shows) .*$/, '')
    .replace(/ {2,}.*$/, '');
  return [...command.matchAll(/(?:'[^']*'?|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/['"]/g, '')).slice(1);
}

interface Named {
  readonly spec: CommandSpec;
  /** What is given to it. */
  readonly rest: readonly string[];
}

function named(line: readonly string[], specs: readonly CommandSpec[]): Named | undefined {
  const [first = '', ...rest] = line;
  const spec = specs.find(({ name, aliases = [] }) => name === first || aliases.includes(first));
  if (spec === undefined) return undefined;
  return spec.commands === undefined || rest.length === 0 || rest[0] === '…'
    ? { spec, rest }
    : named(rest, spec.commands);
}

/** What is wrong with the options that a documented command line names; nothing when it is known with all of them. */
function mistakes(line: string): readonly string[] {
  const given = words(line);
  if (given[0]?.startsWith('help') === true) return [];
  const found = named(given, commandTable);
  if (found === undefined) return [`${line}: no such command`];
  const { spec } = found;
  const known = new Set(['--help', ...spec.options.flatMap(({ flags }) => flags.match(/--?[a-z][a-z0-9-]*/g) ?? [])]);
  const options = given.flatMap((word) => /^--?[a-z][a-z0-9-]*(?==|[,.:)]?$)/.exec(word)?.[0] ?? []);
  return options.filter((option) => !known.has(option)).map((option) => `${line}: ${spec.name} has no ${option}`);
}

/** Stands for something of the reader's. */
const isPlaceholder = (word: string): boolean => /^[A-Z]+$|…|</.test(word);

/** What is wrong with a line that a reader would type as it stands: options without a value, values and arguments that are not taken. */
function mistypings(line: string): readonly string[] {
  const found = named(words(line), commandTable);
  if (found === undefined || found.spec.commands !== undefined || found.rest.includes('…')) return [];
  if (found.rest.some((word) => word.startsWith('['))) return []; // how it is used, not a line to type
  const { positions, values } = givenTo(found);
  const wrong = values.flatMap(({ option, given }) => wrongValue(option, given));
  return [...wrong, ...wrongCount(found.spec, positions)].map((text) => `${line}: ${text}`);
}

interface Given {
  readonly positions: readonly string[];
  readonly values: readonly { readonly option: OptionSpec; readonly given: readonly string[] }[];
}

/** Words by what takes them: an option takes the next one, or with `...` all up to the next option. */
function givenTo({ spec, rest }: Named): Given {
  const positions: string[] = [];
  const values: { option: OptionSpec; given: string[] }[] = [];
  for (const word of rest) {
    const [flag, value] = splitOnce(word);
    const option = spec.options.find(({ flags }) => flag.startsWith('-') && flags.split(/[ ,]+/).includes(flag));
    const open = values.at(-1);
    if (option !== undefined) values.push({ option, given: value === undefined ? [] : [value] });
    else (open !== undefined && open.given.length < roomOf(open.option) ? open.given : positions).push(word);
  }
  return { positions, values };
}

function splitOnce(word: string): readonly [string, string | undefined] {
  const at = word.indexOf('=');
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function roomOf({ flags }: OptionSpec): number {
  if (flags.includes('...')) return Number.POSITIVE_INFINITY;
  return /[<[]/.test(flags) ? 1 : 0;
}

function wrongValue(option: OptionSpec, given: readonly string[]): readonly string[] {
  if (given.some(isPlaceholder)) return [];
  if (given.length === 0) return option.flags.includes('<') ? [`${option.flags} has no value`] : [];
  const isList = option.isRepeatable === true || option.flags.includes('...');
  const [first = ''] = given;
  const isChoice = option.choices?.includes(first) ?? true;
  return isChoice && option.schema().safeParse(isList ? given : first).success
    ? []
    : [`${option.flags} takes no ${first}`];
}

function wrongCount({ name, arguments: specs }: CommandSpec, positions: readonly string[]): readonly string[] {
  const least = specs.filter(({ name: written }) => written.startsWith('<')).length;
  const most = specs.some(({ name: written }) => written.includes('...')) ? Number.POSITIVE_INFINITY : specs.length;
  return positions.length < least || positions.length > most ? [`${name} takes ${least} to ${most} arguments`] : [];
}

test('there are command lines in the pages', () => {
  const found = pages().map((page) => commandLines(readFileSync(join(root, page), 'utf8')));
  expect(found.flatMap(({ shown }) => shown).length).toBeGreaterThan(150);
  expect(found.flatMap(({ named }) => named).length).toBeGreaterThan(100);
});

/** All that tests say, where they name pages. */
function testTexts(): string {
  const files = globSync(['tests/**/*.ts', 'packages/cli/src/**/*.test.ts', 'flows/*.test.ts'], { cwd: root });
  const others = files.filter((file) => join(root, file) !== import.meta.filename);
  return others.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
}

/** Pages whose lines no test types as they stand, and what is held of them. */
const heldOtherwise: Readonly<Record<string, string>> = {
  'docs/coming-from-prompt-flow.md': 'all of its commands run: tests/coming-from-prompt-flow.test.ts',
};

test('what pages show to type is typed by a test that names the page', () => {
  const typed = pages().filter((page) => commandLines(readFileSync(join(root, page), 'utf8')).shown.length > 0);
  const texts = testTexts();
  const unnamed = typed.filter((page) => !texts.includes(`'${page}'`));
  expect(unnamed.toSorted()).toEqual(Object.keys(heldOtherwise).toSorted());
});

test('a command line with an option that is not there is seen', () => {
  expect(mistakes('flow run x --dataa d.jsonl')).toEqual(['flow run x --dataa d.jsonl: run has no --dataa']);
  expect(mistakes('flow rum x')).toEqual(['flow rum x: no such command']);
});

test.for([
  { line: 'flow run x --data', wrong: '--data <file> has no value' },
  { line: 'flow run x --concurrency many', wrong: '--concurrency <n> takes no many' },
  { line: 'flow run x --data-format jsno', wrong: '--data-format <format> takes no jsno' },
  { line: 'flow diff a b c', wrong: 'diff takes 0 to 2 arguments' },
  { line: 'flow render', wrong: undefined },
  { line: 'flow run x --env A=b C=d --rows 0-9', wrong: undefined },
] as const)('what cannot be typed as it stands is seen: $line', ({ line, wrong }) => {
  expect(mistypings(line)).toEqual(wrong === undefined ? [] : [`${line}: ${wrong}`]);
});

test('a line behind npx, a pipe or a variable is found', () => {
  const block =
    '    $ npx -y pnpm@10 flow view\n    printf a | flow chat x\n    A=b flow run x\n    next    cd x && npx flow serve y\n';
  expect(shownLines(block)).toEqual(['flow view', 'flow chat x', 'flow run x', 'flow serve y']);
});

test.for(pages())('every command line of %s is one flow takes', (page) => {
  const { shown, named } = commandLines(readFileSync(join(root, page), 'utf8'));
  expect([...[...shown, ...named].flatMap(mistakes), ...shown.flatMap(mistypings)]).toEqual([]);
});
