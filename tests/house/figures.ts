import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImports, type SourceImports } from './read-imports.ts';
import { weakMapsIn } from './weak-maps.ts';

/**
 * `pnpm figures`: how much of the house a reader has to know, counted from the sources. Tests, fixtures and `testing/` are left out.
 * What each was before the application layer: docs/decisions/0006-application-layer.md.
 */
const root = join(import.meta.dirname, '../..');
const isProduct = (file: string): boolean =>
  /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !/\.(test|fixture)\.tsx?$|\/testing\//.test(file);
const sources = readImports(root, ['packages']).filter(({ file }) => isProduct(file));
const texts = new Map(sources.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]));

const targetsOf = ({ file, imports }: SourceImports): readonly string[] =>
  imports
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => new URL(from, `file:///${file}`).pathname.slice(1))
    .filter((target) => texts.has(target));
const graph = new Map(sources.map((source) => [source.file, targetsOf(source)]));

function reachedFrom(start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
    for (const target of graph.get(file) ?? [])
      if (!reached.has(target)) {
        reached.add(target);
        waiting.push(target);
      }
  return reached;
}

/** Each list is of files that reach each other. */
function circles(): readonly (readonly string[])[] {
  const reached = new Map([...graph.keys()].map((file) => [file, reachedFrom(file)]));
  const circular = [...graph.keys()].filter((file) => reached.get(file)?.has(file));
  const circleOf = (file: string): readonly string[] =>
    circular.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file));
  return [...new Map(circular.map(circleOf).map((circle) => [circle.join(' '), circle])).values()];
}

const folderOf = (file: string): string | undefined => /^packages\/[^/]+\/src\/[^/]+(?=\/)/.exec(file)?.[0];

/** Pairs of folders of a package that import each other. */
function mutualFolders(): readonly string[] {
  const edges = new Set<string>();
  for (const [file, targets] of graph)
    for (const target of targets) {
      const [from, to] = [folderOf(file), folderOf(target)];
      if (from !== undefined && to !== undefined && from !== to) edges.add(`${from} ${to}`);
    }
  return [...edges].filter((edge) => {
    const [from = '', to = ''] = edge.split(' ');
    return from < to && edges.has(`${to} ${from}`);
  });
}

const filesWith = (pattern: RegExp, below = ''): readonly string[] =>
  [...texts].filter(([file, text]) => file.startsWith(below) && pattern.test(text)).map(([file]) => file);
const count = (pattern: RegExp, of: (file: string) => boolean): number =>
  [...texts].reduce((sum, [file, text]) => sum + (of(file) ? [...text.matchAll(pattern)].length : 0), 0);
const linesOf = (text: string): number => text.split('\n').length - 1;
const isTable = (file: string): boolean => /\/command-table|\/command-line\.ts$|\/option-values\.ts$/.test(file);
const python = globSync('**/*.py', { cwd: join(root, 'packages'), exclude: (path) => path.endsWith('node_modules') })
  .filter((file) => !/\/dist\/|\/testing\//.test(file))
  .map((file) => readFileSync(join(root, 'packages', file), 'utf8'));

const figures: Readonly<Record<string, number | readonly string[]>> = {
  'files outside cli that know options of the command line': filesWith(/\bCommandCall\b/).filter(
    (file) => !file.startsWith('packages/cli/'),
  ),
  'files below cli/commands that know CommandCall': filesWith(/\bCommandCall\b/).filter(
    (file) => !/cli\/src\/(commands\/|command-)/.test(file),
  ),
  'reads of options by a text key outside the table': count(
    /\boptions\[['"`]|\b(?:textOf|listOf|wholeNumberOf|secondsOf)\(\s*(?:\w+\.)?options\b/g,
    (file) => /^packages\/(cli|project)\//.test(file) && !isTable(file),
  ),
  'folders that import each other': mutualFolders(),
  'circles of imports, types included': circles().map((circle) => circle.join(' ')),
  'weak maps keyed by rows or contexts': [...texts].flatMap(([file, text]) => weakMapsIn(file, text)),
  'weak maps of values that never change (tests/house/weak-maps.ts)': filesWith(/new Weak(?:Map|Set)\b/),
  'files of the engine that name Prompt flow': filesWith(/prompt ?flow/i, 'packages/engine/').length,
  'files of more than 250 lines': [...texts].filter(([, text]) => linesOf(text) > 250).map(([file]) => file),
  'lines of product, TypeScript': [...texts.values()].reduce((sum, text) => sum + linesOf(text), 0),
  'lines of product, Python': python.reduce((sum, text) => sum + linesOf(text), 0),
};

for (const [what, found] of Object.entries(figures)) {
  process.stdout.write(`${String(typeof found === 'number' ? found : found.length).padStart(7)}  ${what}\n`);
  if (typeof found === 'number' || !process.argv.includes('--list')) continue;
  for (const one of found) process.stdout.write(`           ${one}\n`);
}
