import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Gives our classes their names as a property, since names of classes are told to users (`'Markup' object is not iterable`)
 * and those in the bundle are shortened, which saves a third of what is read and deserialized at every start.
 */
export const namedClasses: Plugin = {
  name: 'named-classes',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/packages\/\w+\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: withNames(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

function withNames(text: string): string {
  return text.replaceAll(
    /^((?:export )?(?:abstract )?class (\w+)\b.*?\{)(\}?)$/gm,
    (_, head: string, name: string, end: string) => `${head} static name = '${name}';${end}`,
  );
}
