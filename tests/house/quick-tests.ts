import { globSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { mutationTests } from './mutation-tests.ts';

/**
 * The tests to run first for files that changed: a changed test itself; for code the tests beside it that carry its name, or
 * where there are none those of its folder and of its nearest users, or of the folder around; for a page the tests of pages.
 */
export function quickTests(changed: readonly string[]): readonly string[] {
  return [...new Set(['tests/floors.test.ts', ...changed.flatMap(testsOf)])].sort();
}

function testsOf(file: string): readonly string[] {
  if (file.endsWith('.test.ts')) return globSync(file);
  if (file.endsWith('.md')) return ['architecture-page', 'doc-links', 'documented-commands'].map(testOfProject);
  const ending = extname(file);
  if (!['.ts', '.tsx'].includes(ending) || !file.startsWith('packages/')) return [];
  const folder = dirname(file);
  const named = globSync(`${folder}/${basename(file, ending)}{,-*}.test.ts`);
  return named.length > 0 ? named : nearest(folder);
}

const testOfProject = (name: string): string => `tests/${name}.test.ts`;

/** Those of the folder and its nearest users; of the folder around it where there are none, up to the package. */
function nearest(folder: string): readonly string[] {
  const found = mutationTests(folder);
  return found.length > 0 || !folder.startsWith('packages/') ? found : nearest(dirname(folder));
}
