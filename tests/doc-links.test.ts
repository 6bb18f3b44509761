import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Pages of the project, not those of its dependencies and cases. */
function pages(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || ['node_modules', 'cases', 'dist'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pages(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Links of a page to files of the project, without those in code. */
function links(path: string): readonly string[] {
  const prose = readFileSync(path, 'utf8').replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));
}

const found = pages(root);

test('there are pages', () => {
  expect(found.length).toBeGreaterThan(20);
});

test.for(found.map((path) => relative(root, path)))('every link of %s leads somewhere', (page) => {
  const path = join(root, page);
  expect(links(path).filter((target) => !existsSync(join(dirname(path), target)))).toEqual([]);
});

test('the map names every page of the documentation', () => {
  const map = join(root, 'docs', 'README.md');
  const named = new Set(links(map).map((target) => join(dirname(map), target)));
  const pagesOfDocs = pages(join(root, 'docs')).filter((page) => page !== map && !page.includes('decisions'));
  expect(pagesOfDocs.filter((page) => !named.has(page)).map((page) => relative(root, page))).toEqual([]);
});
