import { chmod, cp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

/**
 * Bundles the command line to `dist/`, or to the folder given: one small entry, a chunk for each command and for each library that only some
 * flows need. Bundling, then the compile cache, is what makes `flow check` start fast (bench/startup.bench.ts).
 */
const withoutLocales: Plugin = {
  name: 'without-locales',
  setup: ({ onLoad }) => {
    // zod carries its messages in fifty languages; ours are our own.
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Modules of Node that are slow to load and wanted late or never, with the functions we use of them. */
const lateModules: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': ['spawn', 'spawnSync', 'execFileSync'],
  'node:crypto': ['createCipheriv', 'createDecipheriv', 'createHash', 'hash', 'randomBytes', 'randomUUID'],
};

const here = fileURLToPath(new URL('.', import.meta.url));
/** From where the engine's libraries are found. */
const engine = `${here}../engine/src`;

const loadsLate: Plugin = {
  name: 'loads-late',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:/ }, ({ path, importer }) =>
      path in lateModules && isStartedEarly(importer) ? { path, namespace: 'late' } : undefined,
    );
    onResolve({ filter: /^ajv$/ }, ({ path, importer, namespace }) =>
      namespace === 'file' && !importer.includes('node_modules') ? { path, namespace: 'late' } : undefined,
    );
    onLoad({ filter: /^node:/, namespace: 'late' }, ({ path }) => ({
      contents: lateModule(path, lateModules[path] ?? []),
    }));
    onLoad({ filter: /^ajv$/, namespace: 'late' }, () => ({ contents: lateClass('ajv', 'Ajv'), resolveDir: engine }));
  },
};

/** Our own code, and the argument parser, which is loaded for every command. */
function isStartedEarly(importer: string): boolean {
  return !importer.includes('node_modules') || importer.includes('/commander/');
}

function lateModule(id: string, names: readonly string[]): string {
  const load = `let loaded; const load = () => (loaded ??= process.getBuiltinModule('${id}'));`;
  const functions = names.map((name) => `export const ${name} = (...given) => load().${name}(...given);`);
  return `${load}\n${functions.join('\n')}\nexport default new Proxy({}, { get: (_, name) => load()[name] });\n`;
}

/** A class of a CommonJS library that is loaded when one is first made. */
function lateClass(id: string, name: string): string {
  return `export function ${name}(...given) { return new (require('${id}').${name})(...given); }\n`;
}

const outdir = process.argv[2] ?? `${here}dist`;

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: { main: `${here}src/main.ts`, 'process-io': `${here}src/process-io.ts` },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.18',
  minifySyntax: true,
  minifyWhitespace: true,
  chunkNames: 'chunk-[name]-[hash]',
  // CommonJS libraries call `require` for Node's own modules.
  banner: {
    js: "import { createRequire as unrollRequire } from 'node:module';const require = unrollRequire(import.meta.url);",
  },
  plugins: [withoutLocales, loadsLate],
  legalComments: 'linked',
  logLevel: 'warning',
});
await cp(`${here}../nodes/src/python/worker`, `${outdir}/worker`, {
  recursive: true,
  filter: (path) => !path.includes('__pycache__'),
});
const nodesRequire = createRequire(`${here}../nodes/package.json`);
for (const tables of ['cmaps', 'standard_fonts']) {
  await cp(`${dirname(nodesRequire.resolve('pdfjs-dist/package.json'))}/${tables}`, `${outdir}/pdf/${tables}`, {
    recursive: true,
  });
}
await writeFile(
  `${outdir}/flow.js`,
  `#!/usr/bin/env node
import module from 'node:module';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(\`flow needs Node 22.18 or newer; this is Node \${process.versions.node}.\\n\`);
  process.exit(2);
}
module.enableCompileCache?.();
// Node 22 calls node:sqlite and the stripping of types experimental, on every start.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
};
const [{ main }, { createProcessIo }] = await Promise.all([import('./main.js'), import('./process-io.js')]);
process.exitCode = await main(process.argv.slice(2), createProcessIo());
`,
);
await chmod(`${outdir}/flow.js`, 0o755);
