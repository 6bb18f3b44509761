import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
/** What goes into the page beside this package's own files. */
const libraries = ['preact', '@preact/signals', '@preact/signals-core', '@tanstack/virtual-core'];

/**
 * Builds the page into `packages/studio/dist`, unless it is there already of the same sources. Tests that begin at once
 * may each build it: the folder comes into being whole, by a rename.
 *
 * @returns the folder: index.html and assets/
 */
export async function buildStudio(): Promise<string> {
  const digest = sourceDigest();
  if (builtDigest() === digest) return dist;
  const { build } = await import('vite');
  const made = mkdtempSync(join(root, '.dist-'));
  chmodSync(made, 0o755);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    // Said here: a build begun by tests would otherwise be one for development, which names the files it was made of.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    build: {
      outDir: made,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    },
  });
  writeFileSync(join(made, 'LICENSES.txt'), licenses());
  writeFileSync(join(made, 'digest.txt'), `${digest}\n`);
  replace(made, digest);
  return dist;
}

function builtDigest(): string | undefined {
  const file = join(dist, 'digest.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** A folder cannot be renamed onto one with files: the old one goes first, and whoever comes second leaves what is there. */
function replace(made: string, digest: string): void {
  rmSync(dist, { recursive: true, force: true });
  try {
    renameSync(made, dist);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (builtDigest() !== digest) throw error;
  }
}

function sourceDigest(): string {
  const own = globSync(['index.html', 'build/*.ts', 'src/**/*.{ts,tsx,css,svg}'], { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
  const hash = createHash('sha256');
  for (const file of own)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  for (const library of [...libraries, 'vite']) hash.update(manifest(library).version);
  return hash.digest('hex');
}

/** The licences of what is in the page, which ask to be handed on with it. */
function licenses(): string {
  const texts = libraries.map((library) => {
    const { folder, version } = manifest(library);
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    if (file === undefined) throw new Error(`${library} comes without its licence`);
    return `${library} ${version}\n\n${readFileSync(join(folder, file), 'utf8')}`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

function manifest(library: string): { readonly folder: string; readonly version: string } {
  const from = library === '@preact/signals-core' ? join(manifest('@preact/signals').folder, 'package.json') : root;
  let folder = dirname(createRequire(join(from, 'x')).resolve(library));
  while (!existsSync(join(folder, 'package.json')) || basename(folder) === 'dist') folder = dirname(folder);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  return { folder, version };
}
