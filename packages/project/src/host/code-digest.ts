import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What may decide what a record holds, queue included: its workers run rows. The studio's page decides nothing: it only asks. */
const packages = ['engine', 'nodes', 'promptflow', 'evals', 'project', 'queue', 'server', 'cli'];
const leftOut: ReadonlySet<string> = new Set(['testing', '__snapshots__', '__pycache__']);

/**
 * Of all code that can run: of what is changed while one works on it, too.
 *
 * @param folder absolute, with a folder for each package
 * @param kind in which folder of a package its code is
 */
export function codeDigest(folder: string, kind: 'src' | 'dist'): string {
  const there = packages.map((name) => `${name}/${kind}`).filter((path) => existsSync(join(folder, path)));
  const files = there.flatMap((path) => codeBelow(folder, path));
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}

/** Every process that runs from sources asks this: a pattern of `node:fs` takes seven times as long as looking into the folders. */
function codeBelow(folder: string, path: string): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const below = `${path}/${entry.name}`;
    if (entry.isDirectory()) return leftOut.has(entry.name) ? [] : codeBelow(folder, below);
    return isCode(entry.name) ? [below] : [];
  });
}

function isCode(name: string): boolean {
  return /\.(ts|js|py|json)$/.test(name) && !name.endsWith('.test.ts');
}
