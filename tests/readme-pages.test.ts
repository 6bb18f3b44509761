import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const english = readFileSync(join(root, 'README.md'), 'utf8');
const japanese = readFileSync(join(root, 'README.ja.md'), 'utf8');

/** Pieces of a page beside its prose; a later kind begins nowhere within an earlier one. */
const kinds: Readonly<Record<string, RegExp>> = {
  heading: /^(?<heading>#+) .*$/,
  block: /^```\w*\n(?<block>[\s\S]*?)\n```$/,
  command: /^ {4}(?<command>\S.*?)(?: +#.*)?$/,
  row: /^\| (?<row>\[\S+\])/,
  item: /^(?<item>- )/,
  link: /\]\((?!README)(?<link>[^)\s]+)\)/,
  code: /`(?<code>[^`\n]+)`/,
};
const anyPiece = new RegExp(
  Object.values(kinds)
    .map(({ source }) => source)
    .join('|'),
  'gmu',
);

/** What a page is made of, in order, each piece as one line that a difference can name. */
function skeleton(page: string): readonly string[] {
  return [...page.matchAll(anyPiece)].flatMap(({ groups = {} }) =>
    Object.entries(groups).flatMap(([kind, text]) =>
      text === undefined ? [] : [`${kind} ${isDemo(text) ? 'the demo' : text}`],
    ),
  );
}

const isDemo = (block: string): boolean => block.startsWith('✓ format_input');

/** By heading, since the words of a language stand in another order: what one page has there and the other has not. */
function sections(page: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const piece of skeleton(page)) {
    if (piece.startsWith('heading')) found.push([]);
    found.at(-1)?.push(piece);
  }
  return found.map((section) => section.toSorted());
}

test('README.md and README.ja.md have the same headings, blocks, commands, rows, links and pieces of code', () => {
  expect(sections(japanese)).toEqual(sections(english));
  expect(skeleton(english).filter((piece) => piece.startsWith('block'))).toHaveLength(7);
});

test.for([
  { what: 'a command', change: ['npx -y pnpm@10 test', 'npx -y pnpm@10 tests'] },
  { what: 'a line of a block', change: ['times: 3  ', 'times: 4  '] },
  { what: 'a link', change: ['docs/cli.md', 'docs/commands.md'] },
  { what: 'a heading', change: ['## State', 'State'] },
] as const)('$what that changes in one of them alone is seen', ({ change: [from, to] }) => {
  expect(english).toContain(from);
  expect(sections(english.replace(from, to))).not.toEqual(sections(japanese));
});

/** The prose of each section, short: what words say in two languages no program compares, but it sees which one was changed. */
function digests(page: string): readonly string[] {
  const prose = page.replaceAll(/^```[\s\S]*?^```$/gmu, '').split(/^(?=#)/mu);
  return prose.filter((section) => section !== '').map((section) => digest(section.replaceAll(/\s+/gu, ' ').trim()));
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

test('prose that changes in one of them is read in the other, then accepted with --update', async () => {
  const headings = [...english.replaceAll(/^```[\s\S]*?^```$/gmu, '').matchAll(/^#+ .*$/gmu)].map(
    ([heading]) => heading,
  );
  const [ofEnglish, ofJapanese] = [digests(english), digests(japanese)];
  const lines = headings.map(
    (heading, at) => `${heading}\n  README.md     ${ofEnglish[at]}\n  README.ja.md  ${ofJapanese[at]}\n`,
  );
  await expect(lines.join('')).toMatchFileSnapshot('pages/readme-sections.txt');
});

/** The first screen without what differs from run to run: times, the widths of their columns, names of runs. */
const lasting = (text: string): readonly string[] =>
  text
    .replaceAll(/\s*<?[\d,.]+ m?s\b/gu, ' TIME')
    .replaceAll(/\d{8}-\d{6}-privacy-agent-\w+/gu, 'RUN')
    .trim()
    .split('\n');

const demo = join(root, 'flows/demo.ts');
const asked = (environment: Readonly<Record<string, string>>, ...argv: readonly string[]) =>
  spawnSync(process.execPath, [demo, ...argv], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: '', LC_MESSAGES: '', LANG: '', NO_COLOR: '1', ...environment },
  });

test.for([
  { page: english, environment: { LANG: 'en_GB.UTF-8' }, argv: [] },
  { page: english, environment: { LANG: 'ja_JP.UTF-8', LC_ALL: 'C' }, argv: [] },
  { page: japanese, environment: { LANG: 'ja_JP.UTF-8' }, argv: [] },
  { page: japanese, environment: { LANG: 'C.UTF-8' }, argv: ['--language', 'ja'] },
])(
  'the demo prints what the first screen shows: $environment $argv',
  { timeout: 300_000 },
  ({ page, environment, argv }) => {
    const [, shown = ''] = /```\n(✓ format_input[\s\S]*?)\n```/u.exec(page) ?? [];
    const { status, stdout, stderr } = asked(environment, ...argv);
    expect({ status, stderr, lines: lasting(stdout) }).toEqual({ status: 0, stderr: '', lines: lasting(shown) });
  },
);

test('a language that the demo does not speak is told', () => {
  const { status, stderr } = asked({}, '--language', 'fr');
  expect({ status, stderr }).toEqual({ status: 2, stderr: '--language: expected en or ja, not "fr"\n' });
});
