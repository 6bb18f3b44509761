import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Runs every benchmark of this folder, or those whose names are given: `pnpm bench engine template`. */
const folder = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .sort()) {
  if (wanted.length > 0 && !wanted.includes(file.replace('.bench.ts', ''))) continue;
  const { status } = spawnSync(process.execPath, [join(folder, file)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
