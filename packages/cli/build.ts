import { createHash } from 'node:crypto';
import { chmod, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { fewOfUndici } from './build/few-of-undici.ts';
import { lateBuiltins } from './build/late-builtins.ts';
import { createLibraries, namedExports } from './build/libraries.ts';
import { namedClasses } from './build/named-classes.ts';
import { ownHeaders, ownWebClasses } from './build/own-web-classes.ts';

/**
 * Bundles the command line to `dist/`, or to the folder given. `command.cjs` is all of our code, each module of it evaluated
 * when it is first imported; `flow.js` runs it from V8's own code, kept from an earlier start (bin/bundled.js). Libraries that
 * only some flows need are files of their own. bench/startup.bench.ts measures it.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
/** From where the engine's libraries are found. */
const engine = `${here}../engine/src`;
const outdir = process.argv[2] ?? `${here}dist`;

const withoutLocales: Plugin = {
  name: 'without-locales',
  setup: ({ onLoad }) => {
    // zod carries its messages in fifty languages; ours are our own.
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

const loadsLate: Plugin = {
  name: 'loads-late',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(ajv|string-width)$/ }, ({ path, importer, kind }) =>
      kind === 'import-statement' && !importer.includes('node_modules') ? { path, namespace: 'late' } : undefined,
    );
    onLoad({ filter: /^ajv$/, namespace: 'late' }, () => ({ contents: lateClass('ajv', 'Ajv'), resolveDir: engine }));
    onLoad({ filter: /^string-width$/, namespace: 'late' }, () => ({
      contents: "export default (...given) => require('string-width').default(...given);",
      resolveDir: `${here}src`,
    }));
    // As modules, which the form for Node is not: those nobody uses are left out, the rest is called without a detour.
    onResolve({ filter: /^yaml$/ }, () => ({
      path: createRequire(`${engine}/index.ts`)
        .resolve('yaml/package.json')
        .replace(/package\.json$/, 'browser/dist/index.js'),
      sideEffects: false,
    }));
  },
};

/** The table of the commands names a module of each: in a bundle for some of them the others are not there. */
const commandsOnly = (...wanted: readonly string[]): Plugin => ({
  name: 'commands-only',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\/commands\// }, ({ path }) =>
      wanted.includes(path) ? undefined : { path, external: true },
    );
  },
});

/** A class of a CommonJS library that is loaded when one is first made. */
function lateClass(id: string, name: string): string {
  return `export function ${name}(...given) { return new (require('${id}').${name})(...given); }\n`;
}

const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  logLevel: 'warning',
};

const bundleUrl = "const bundleUrl = process.getBuiltinModule('node:url').pathToFileURL(__filename).href;";

const commonJs: BuildOptions = {
  ...shared,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: { js: bundleUrl },
  define: { 'import.meta.url': 'bundleUrl', 'import.meta.filename': '__filename' },
};

await rm(outdir, { recursive: true, force: true });
const libraries = createLibraries(['openai', 'undici']);
const ours = [libraries.plugin, namedClasses, withoutLocales, loadsLate, lateBuiltins];
await build({
  ...commonJs,
  entryPoints: { command: `${here}src/bundle.ts` },
  outdir,
  minifyIdentifiers: true,
  plugins: ours,
});
await build({
  ...commonJs,
  entryPoints: { check: `${here}src/bundle.ts` },
  outdir,
  minifyIdentifiers: true,
  plugins: [commandsOnly('./commands/check.ts'), ...ours],
});
await build({
  ...commonJs,
  entryPoints: { help: `${here}src/bundle-help.ts` },
  outdir,
  plugins: [commandsOnly(), lateBuiltins],
});
for (const [name, path] of Object.entries(libraries.kept())) {
  await build({
    ...commonJs,
    entryPoints: { [name]: path },
    outdir: `${outdir}/libraries`,
    plugins: [fewOfUndici, ownHeaders, lateBuiltins],
    banner: { js: `${bundleUrl}${name === 'undici' ? '' : ownWebClasses}` },
  });
}
await build({
  ...shared,
  entryPoints: libraries.others(),
  outdir: `${outdir}/libraries`,
  splitting: true,
  format: 'esm',
  // CommonJS libraries call `require` for Node's own modules.
  banner: { js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);" },
  plugins: [namedExports, withoutLocales, lateBuiltins],
});
await build({
  ...shared,
  entryPoints: { 'thread-entry': `${here}../nodes/src/code/thread-entry.ts` },
  outdir,
  format: 'esm',
});
const digest = createHash('sha256');
for (const file of ['command', 'check', 'help', ...Object.keys(libraries.kept()).map((name) => `libraries/${name}`)]) {
  const path = `${outdir}/${file}.cjs`;
  const text = countUnits(await readFile(path, 'latin1'));
  await writeFile(path, text, 'latin1');
  if (file === 'command' && text.split('units.push').length !== 3) throw new Error('bug: esbuild writes modules anew');
  digest.update(text);
}

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
const start = await readFile(`${here}bin/bundled.js`, 'utf8');
await writeFile(`${outdir}/flow.js`, start.replaceAll('DIGEST', digest.digest('hex').slice(0, 16)));
await chmod(`${outdir}/flow.js`, 0o755);

/** Has each module of a bundle tell by `units` that it is used: bin/bundled.js says what for. */
function countUnits(text: string): string {
  const counted = '$1,unit=units.push(false)-1)=>$4{units[unit]=true;$5';
  return text
    .replace(/(=\((\w+),\w+,(\w+))\)=>(function\(\)|\(\)=>)\{(if\(\3\)throw \3\[0\];)/, counted)
    .replace(/(=\((\w+),(\w+))\)=>(function\(\)|\(\)=>)\{(try\{return \3\|\|)/, counted);
}
