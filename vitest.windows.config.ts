import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { unlinked } from './tests/windows/links.ts';
import config from './vitest.config.ts';

/** The tests on Node for Windows under Wine (docs/internals/windows.md). */
const unlink: Plugin = {
  name: 'unlink',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!source.startsWith('@unroll/')) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found === null ? null : { ...found, external: false, id: unlinked(found.id) };
  },
};

const hooks = pathToFileURL(join(import.meta.dirname, 'tests/windows/links.ts')).href;

export default defineConfig({
  test: {
    ...config.test,
    maxWorkers: 2,
    reporters: ['default'],
    projects: (config.test?.projects ?? []).flatMap((project) => {
      if (typeof project !== 'object' || !('test' in project)) return [];
      const { test = {} } = project;
      if (test.name === 'installed') return [];
      const own = { ...test, env: { ...test.env, NODE_OPTIONS: `--import ${hooks}` } };
      return [{ plugins: [unlink], resolve: { preserveSymlinks: true }, test: own }];
    }),
  },
});
