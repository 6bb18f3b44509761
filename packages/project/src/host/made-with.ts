import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MadeWith } from '@unroll/engine';
import { codeDigest } from './code-digest.ts';

const here = import.meta.dirname;
/** Written beside the bundle of the command line when it is built. */
const builtFile = fileURLToPath(new URL('build.json', import.meta.url));
let known: MadeWith | undefined;

/** What a run is made with: version of Unroll, and digest of its code, built or as sources. */
export function madeWith(): MadeWith {
  known ??= { version: packageVersion(), build: builtDigest() ?? ownDigest() };
  return known;
}

/** Of the package this code is in: of the command line where it is in its bundle; `bundled` where it is in somebody else's. */
function packageVersion(): string {
  return ownPackage()?.version ?? 'bundled';
}

/** The nearest package.json above this file that is one of ours. */
function ownPackage(): { readonly folder: string; readonly version: string } | undefined {
  for (let folder = here; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    const { name, version } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
    if (name?.startsWith('@unroll/') && version !== undefined) return { folder, version };
    if (dirname(folder) === folder) return undefined;
  }
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

function builtDigest(): string | undefined {
  try {
    return (JSON.parse(readFileSync(builtFile, 'utf8')) as { readonly build: string }).build;
  } catch {
    return undefined;
  }
}

function ownDigest(): string {
  const own = ownPackage();
  if (own !== undefined) return codeDigest(join(own.folder, '..'), import.meta.url.endsWith('.ts') ? 'src' : 'dist');
  return createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .digest('hex')
    .slice(0, 12);
}
