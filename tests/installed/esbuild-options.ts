import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(import.meta.dirname, '../../docs/library.md');

/** What docs/library.md says for a program of one file. */
export function esbuildOptions(): readonly string[] {
  const [, options = ''] =
    /npx esbuild handler\.ts (.*) --outfile=handler\.mjs\n/.exec(readFileSync(page, 'utf8')) ?? [];
  return [...options.matchAll(/--\S+?="([^"]*)"|--\S+/g)].map(([option]) => option.replaceAll('"', ''));
}
