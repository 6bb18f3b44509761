import { createHash } from 'node:crypto';
import { chmod, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildStudio } from '@unroll/studio/build';
import { build } from 'esbuild';

/**
 * Bundles the command line to `dist/`, or to the folder given: our code and the libraries that every start needs, in files that
 * are loaded when something in them is first needed. What package.json names as a dependency or a peer stays one, so that it is
 * installed beside the command and can be updated there; all else is in the bundle. bench/startup.bench.ts measures it.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const outdir = process.argv[2] ?? `${here}dist`;
const { dependencies, peerDependencies } = JSON.parse(await readFile(`${here}package.json`, 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};
const external = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !name.startsWith('@unroll/'));

await rm(outdir, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: {
    main: `${here}src/bundle.ts`,
    'thread-entry': `${here}../nodes/src/code/thread-entry.ts`,
  },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  // Patterns that Node 22.19 reads as they are; written otherwise, they are compiled at every start.
  supported: { 'regexp-set-notation': true, 'regexp-unicode-property-escapes': true },
  charset: 'utf8',
  external,
  // CommonJS libraries call `require` for Node's own modules.
  banner: { js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);" },
  logLevel: 'warning',
  metafile: true,
});
for (const python of ['nodes/src/python/worker', 'promptflow/src/python/modules'])
  await cp(`${here}../${python}`, join(outdir, basename(python)), {
    recursive: true,
    filter: (path) => !path.includes('__pycache__'),
  });
await cp(`${here}../server/src/http/page`, join(outdir, 'page'), { recursive: true });
await cp(await buildStudio(), join(outdir, 'studio'), { recursive: true });
await cp(`${here}bin/prepare-start.js`, `${outdir}/prepare-start.js`);
await cp(`${here}bin/installed.js`, `${outdir}/flow.js`);
await chmod(`${outdir}/flow.js`, 0o755);
await writeFile(`${outdir}/build.json`, `${JSON.stringify({ build: await builtDigest() })}\n`);
await writeFile(`${outdir}/LICENSES.txt`, await licenses(Object.keys(metafile.inputs)));

/** Tells builds of one version apart, in records of runs (src/made-with.ts). */
async function builtDigest(): Promise<string> {
  const files = (await readdir(outdir, { recursive: true })).filter((name) => /\.(js|py)$/.test(name)).sort();
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(await readFile(join(outdir, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 12);
}

/** The licences of the libraries in the bundle, which ask to be handed on with it. */
async function licenses(files: readonly string[]): Promise<string> {
  const libraries = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const texts = [...libraries].map(async (folder) => {
    const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
    if (file === undefined) throw new Error(`${folder} comes without its licence`);
    return `${basename(folder)}\n\n${await readFile(join(folder, file), 'utf8')}`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n\n`);
}
