import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/**
 * `pnpm mutate FOLDER…`: changes the code of the folders in small ways, one at a time, and lists the changes that no test
 * notices (StrykerJS; stryker.config.json). Results are kept in .stryker, so a second run only tests what changed.
 */
const folders = process.argv.slice(2).map((folder) => folder.replace(/\/$/, ''));
if (folders.length === 0) {
  process.stderr.write('usage: pnpm mutate FOLDER… (for example packages/engine/src/plan), or FILE.ts\n');
  process.exit(2);
}
const patterns = folders.flatMap((folder) =>
  folder.endsWith('.ts')
    ? [folder]
    : [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/**/*.fixture.ts`, `!${folder}/testing/**`],
);
const stryker = `${dirname(createRequire(import.meta.url).resolve('@stryker-mutator/core/package.json'))}/bin/stryker.js`;
const run = spawnSync(process.execPath, [stryker, 'run', '--incremental', '--mutate', patterns.join(',')], {
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
