import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MadeWith } from '@unroll/engine';

const here = import.meta.dirname;
/** Written beside the bundle of the command line when it is built. */
const builtFile = fileURLToPath(new URL('build.json', import.meta.url));
let known: MadeWith | undefined;

/** What a run is made with: version of Unroll, and digest of its code, built or as sources. */
export function madeWith(): MadeWith {
  known ??= { version: packageVersion(), build: builtDigest() ?? codeDigest() };
  return known;
}

/** Of the package this code is in: of the command line where it is in its bundle. */
function packageVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

function packageRoot(): string {
  let folder = here;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

function builtDigest(): string | undefined {
  try {
    return (JSON.parse(readFileSync(builtFile, 'utf8')) as { readonly build: string }).build;
  } catch {
    return undefined;
  }
}

/** Of all code that can run: of what is changed while one works on it, too. */
function codeDigest(): string {
  const packages = join(packageRoot(), '..');
  const isSource = import.meta.url.endsWith('.ts');
  const files = globSync(
    `{engine,nodes,promptflow,evals,project,server,cli}/${isSource ? 'src' : 'dist'}/**/*.{ts,js,py,json}`,
    {
      cwd: packages,
      exclude: (path) => /(^|[\\/])(testing|__snapshots__|__pycache__)$|\.test\.ts$/.test(String(path)),
    },
  );
  const hash = createHash('sha256');
  for (const file of files.sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(packages, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}
