import { globSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { mutationTests } from './mutation-tests.ts';

/**
 * The tests to run first for files that changed: a changed test itself; for code the tests beside it that carry its name, or
 * where there are none those of its folder and of its nearest users; for a page the tests of pages.
 */
export function quickTests(changed: readonly string[]): readonly string[] {
  return [...new Set(['tests/floors.test.ts', ...changed.flatMap(testsOf)])].sort();
}

function testsOf(file: string): readonly string[] {
  if (file.endsWith('.test.ts')) return globSync(file);
  if (file.endsWith('.md')) return ['tests/doc-links.test.ts', 'tests/documented-commands.test.ts'];
  if (extname(file) !== '.ts' || !file.startsWith('packages/')) return [];
  const folder = dirname(file);
  const named = globSync(`${folder}/${basename(file, '.ts')}{,-*}.test.ts`);
  return named.length > 0 ? named : mutationTests(folder);
}
