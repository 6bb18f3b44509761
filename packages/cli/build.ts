import { chmod, cp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the command line to `dist/`: one small entry, a chunk for each command and for each library that only some
 * flows need. Bundling, then the compile cache, is what makes `flow check` start fast (bench/startup.bench.ts).
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const outdir = `${here}dist`;

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
  legalComments: 'linked',
  logLevel: 'warning',
});
await cp(`${here}../nodes/src/python/worker`, `${outdir}/worker`, {
  recursive: true,
  filter: (path) => !path.includes('__pycache__'),
});
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
const [{ main }, { createProcessIo }] = await Promise.all([import('./main.js'), import('./process-io.js')]);
process.exitCode = await main(process.argv.slice(2), createProcessIo());
`,
);
await chmod(`${outdir}/flow.js`, 0o755);
