import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The modules that Node loads for an import, each by its path below `packages/` or its whole address. */
function loadedFor(...files: readonly string[]): readonly string[] {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    for (const file of ${JSON.stringify(files.map((file) => new URL(file, import.meta.url).href))}) await import(file);
    process.stdout.write(JSON.stringify(loaded));
  `;
  const told = execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', program], {
    encoding: 'utf8',
  });
  return (JSON.parse(told) as readonly string[]).filter((url) => !url.startsWith('node:'));
}

test('what code of flows imports brings neither the rest of the engine nor a library: each thread that runs code loads it', () => {
  const loaded = loadedFor('functions.ts', 'lookup/index.ts');
  expect(loaded.some((url) => url.endsWith('/lookup/open-index.ts'))).toBe(true);
  expect(loaded.filter((url) => url.endsWith('/engine/src/index.ts') || url.includes('/node_modules/'))).toEqual([]);
});
