import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MadeWith } from '@unroll/engine';
import { packageRoot, packageVersion } from './package-root.ts';

/** Written beside the bundle when it is built. */
const builtFile = fileURLToPath(new URL('build.json', import.meta.url));
let known: MadeWith | undefined;

/** What a run is made with: version of this package, and digest of its code, built or as sources. */
export function madeWith(): MadeWith {
  known ??= { version: packageVersion(), build: builtDigest() ?? sourcesDigest() };
  return known;
}

function builtDigest(): string | undefined {
  try {
    return (JSON.parse(readFileSync(builtFile, 'utf8')) as { readonly build: string }).build;
  } catch {
    return undefined;
  }
}

/** Of all code that can run: of what is changed while one works on it, too. */
function sourcesDigest(): string {
  const packages = `${packageRoot}/..`;
  const files = globSync('{engine,nodes,evals,cli}/src/**/*.{ts,py,json}', {
    cwd: packages,
    exclude: (path) => /(^|[\\/])(testing|__snapshots__|__pycache__)$|\.test\.ts$/.test(String(path)),
  });
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(`${packages}/${file}`))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}
