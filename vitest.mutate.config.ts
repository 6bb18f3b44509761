import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const packages = fileURLToPath(new URL('./packages/', import.meta.url));

/** The packages import each other below this file, so that a mutated copy of the project does not test the original. */
const alias = readdirSync(packages).flatMap((name) => {
  const folder = `${packages}${name}/`;
  const { exports }: { exports: Record<string, string> } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  return Object.entries(exports).map(([subpath, file]) => ({
    find: new RegExp(`^@unroll/${name}${subpath.slice(1)}$`),
    replacement: `${folder}${file}`,
  }));
});

/** Where `pnpm mutate` finds the tests that it names (tests/house/mutation-tests.ts); a process that a test starts sees no mutation. */
export default defineConfig({
  resolve: { alias },
  test: {
    testTimeout: 60_000,
    isolate: false,
    env: { DAMAGE_ROUNDS: '15' },
    include: ['packages/*/src/**/*.test.ts', 'tests/*.test.ts', 'tests/*/*.test.ts'],
  },
});
