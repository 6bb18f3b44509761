import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { floorsOf } from './house/floors.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The rooms of each package as ARCHITECTURE.md tells them. */
const told = new Map(
  [...read('ARCHITECTURE.md').matchAll(/^packages\/(\w+)\/(?:src\/)?\s+(.*(?:\n {2}.*)*)/gm)].map(
    ([, own = '', text = '']) => [own, text],
  ),
);
const packages = readdirSync(join(root, 'packages'));

test.for(packages)('every folder of %s is on the page', (own) => {
  const folders = readdirSync(join(root, 'packages', own, 'src'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'testing',
  );
  const missing = folders.filter(({ name }) => !new RegExp(`(?<![\\w-])${name}/`).test(told.get(own) ?? ''));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

/** `a/ b/ floor 2 … c/ floors 3 to 5`: each folder with the floors that are told behind it. */
function toldFloors(text: string): readonly (readonly [room: string, least: number, greatest: number])[] {
  const rooms: string[] = [];
  return [...text.matchAll(/(?<![\w-])([\w-]+)\/(?!\w)|floors? (\d+)(?: (?:to|and) (\d+))?/g)].flatMap(
    ([, room, least, greatest = least]) => {
      if (room === 'dist') return [];
      if (room === undefined) return rooms.splice(0).map((one) => [one, Number(least), Number(greatest)] as const);
      rooms.push(room);
      return [];
    },
  );
}

test('floors stand on the page as they are', () => {
  const floors = [...told].flatMap(([own, text]) => toldFloors(text).map((floor) => [own, ...floor] as const));
  expect(floors.length).toBeGreaterThan(50);
  const wrong = floors.filter(([own, room, least, greatest]) => {
    const floor = floorsOf[own]?.[room] ?? -1;
    return floor < least || floor > greatest;
  });
  expect(wrong).toEqual([]);
});

const files = globSync('**/*.{ts,tsx,py,jsonl,json,md}', {
  cwd: root,
  exclude: (path) => /node_modules|^cases$|dist$/.test(path),
});
/** Pages leave out `packages/` and `src/`: `engine/run/run-plan.ts`. */
const places = files.flatMap((file) => [`/${file}`, `/${file.replace(/^packages\//, '').replace('/src/', '/')}`]);

/** Of the pages for whoever changes the code: what is named there is there. Names in the last column of 0009 are Prompt flow's. */
const pages = [
  'ARCHITECTURE.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  ...globSync('docs/{decisions,internals}/*.md', { cwd: root }).filter((page) => !page.endsWith('recipes.md')),
];

test.for(pages)('every file that %s names is there', (page) => {
  const named = [...read(page).matchAll(/(?<![\w*>:/.-])[\w./-]*\/[\w./-]*\.(?:ts|tsx|py|jsonl|json|md)\b/g)].map(
    ([path]) => path.replace(/^(?:\.\.\/)+|^\.\//, ''),
  );
  const ours = named.filter((path) => !path.startsWith('promptflow/_'));
  expect(ours.filter((path) => !places.some((place) => place.endsWith(`/${path}`)))).toEqual([]);
});

test('every noun that ARCHITECTURE.md names is declared, but for names of others', () => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root }).map(read).join('\n');
  const nouns = new Set(
    [...read('ARCHITECTURE.md').matchAll(/\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g)].map(([noun]) => noun),
  );
  const isDeclared = (noun: string): boolean =>
    new RegExp(`\\b(?:interface|type|class|function|const) ${noun}\\b|'${noun}'`).test(sources);
  expect([...nouns].filter((noun) => !isDeclared(noun))).toEqual(['OpenTelemetry']);
});
