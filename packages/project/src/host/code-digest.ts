import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What may decide what a record holds, queue included: its workers run rows. The studio's page decides nothing: it only asks. */
const packages = '{engine,nodes,promptflow,evals,project,queue,server,cli}';

/**
 * Of all code that can run: of what is changed while one works on it, too.
 *
 * @param folder absolute, with a folder for each package
 * @param kind in which folder of a package its code is
 */
export function codeDigest(folder: string, kind: 'src' | 'dist'): string {
  const files = globSync(`${packages}/${kind}/**/*.{ts,js,py,json}`, {
    cwd: folder,
    exclude: (path) => /(^|[\\/])(testing|__snapshots__|__pycache__)$|\.test\.ts$/.test(String(path)),
  });
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}
