import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/promptflow-support.md'), 'utf8');
const caseIds = readFileSync(join(root, 'cases/promptflow/cases.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => String(JSON.parse(line).id));

/** Tests and recorded cases of the project, by path. */
const files = ['tests', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`)].flatMap(
  (folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.test\.ts$|\.jsonl$/.test(path))
      .map((path) => `${folder}/${path}`),
);

const [, ...rows] = page.split('\n').filter((line) => line.startsWith('| '));
const cells = rows.map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));

test('there are rows', () => {
  expect(rows.length).toBeGreaterThan(40);
});

test.for(cells.map(([, feature = '', , held = '']) => ({ feature, held })))('$feature is held by $held', ({ held }) => {
  const named = [...held.matchAll(/`([^`]+)`(?: “([^”]+)”)?/g)].map(([, name = '', title]) => ({ name, title }));
  expect(named).not.toEqual([]);
  for (const { name, title } of named) expect([name, title, isThere(name, title)]).toEqual([name, title, true]);
});

/** A test file of that name with a test of that title, a recorded case of that name, or a case of that id. */
function isThere(name: string, title: string | undefined): boolean {
  if (!/\.(ts|jsonl)$/.test(name)) {
    const pattern = new RegExp(`^${name.replaceAll('*', '.*')}$`);
    return title === undefined && caseIds.some((id) => pattern.test(id));
  }
  const found = files.filter((path) => path.endsWith(`/${name}`)).map((path) => readFileSync(join(root, path), 'utf8'));
  if (name.endsWith('.jsonl')) return found.some((text) => caseNames(text).includes(title ?? ''));
  return found.some((text) => title === undefined || text.replaceAll("\\'", "'").includes(title));
}

function caseNames(text: string): readonly string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ id, name }) => String(id ?? name));
}
