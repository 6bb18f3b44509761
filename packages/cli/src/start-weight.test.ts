import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';

/** A file of the bundle and all that it imports at once, each once; what is imported when it is needed does not count. */
function loadedWith(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, from = ''] of text.matchAll(/^(?:import|\} from|import .* from) "(\.\/[^"]+)";$/gm))
    loadedWith(join(dirname(file), from), loaded);
  return loaded;
}

/** Of the index of a package all is loaded that any part of the command needs of it; of a file, what that file needs. */
test('flow --help loads the table of commands and what describes options, not the work', () => {
  const files = [...loadedWith(join(dirname(inject('builtFlow')), 'main.js'))];
  const sources = files.flatMap((file) => readFileSync(file, 'utf8').match(/^\/\/ \S+\.(?:ts|js)$/gm) ?? []);
  expect(sources.some((source) => source.endsWith('cli/src/command-table.ts'))).toBe(true);
  expect(sources.filter((source) => /yaml@|ajv@|graphology@|zod\/v4\/locales\/[a-df-z]/.test(source))).toEqual([]);
  expect(sources.filter((source) => source.includes('engine/src/')).length).toBeLessThan(10);
});

test('what every command stands on does not load node:http, with which Node loads undici whole', () => {
  const folder = dirname(inject('builtFlow'));
  const [redactedIo = ''] = readdirSync(folder).filter((file) => /^redacted-io-.*\.js$/.test(file));
  const files = [...loadedWith(join(folder, redactedIo))];
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => /^import .*"node:https?";$/m.test(readFileSync(file, 'utf8')))).toEqual([]);
});
