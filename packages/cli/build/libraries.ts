import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Libraries that our code loads by `import()`, and that are kept out of the bundle. */
export interface Libraries {
  readonly plugin: Plugin;
  /** Once the bundle is built: those whose code V8 keeps between starts, by the name of the file. */
  readonly kept: () => Readonly<Record<string, string>>;
  /** All others, which Node loads as modules. */
  readonly others: () => Readonly<Record<string, string>>;
}

export function createLibraries(kept: readonly string[]): Libraries {
  const found = new Map<string, string>();
  const plugin: Plugin = {
    name: 'libraries',
    setup: ({ onResolve, onLoad, resolve }) => {
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === 'library' || importer.includes('/node_modules/'))
          return undefined;
        if (path.startsWith('node:') || path.startsWith('@unroll/')) return undefined;
        const file = path.replaceAll(/[^\w.-]/g, '_');
        found.set(file, (await resolve(path, { kind, resolveDir, pluginData: 'library' })).path);
        return kept.includes(path) ? { path, namespace: 'kept' } : { path: `./libraries/${file}.js`, external: true };
      });
      onLoad({ filter: /.*/, namespace: 'kept' }, ({ path }) => ({ contents: `module.exports = library('${path}');` }));
    },
  };
  const those = (isKept: boolean) => () =>
    Object.fromEntries([...found].filter(([file]) => kept.includes(file) === isKept));
  return { plugin, kept: those(true), others: those(false) };
}

/** A CommonJS library as a module with the names that Node finds in it; else it would export itself as `default` only. */
export const namedExports: Plugin = {
  name: 'named-exports',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /.*/ }, async ({ path, kind }) =>
      kind === 'entry-point' && (await isCommonJs(path)) ? { path, namespace: 'named' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'named' }, async ({ path }) => {
      const names = Object.keys((await import(path)) as object).filter((name) =>
        /^(?!default$)[A-Za-z_$][\w$]*$/.test(name),
      );
      return {
        contents: `import library from ${JSON.stringify(path)};\nexport default library;\nexport const { ${names.join(', ')} } = library;\n`,
        resolveDir: '/',
      };
    });
  },
};

async function isCommonJs(path: string): Promise<boolean> {
  return !/(^|[;}])\s*(import|export)\b\s*[\w{*"']/m.test(await readFile(path, 'utf8'));
}
