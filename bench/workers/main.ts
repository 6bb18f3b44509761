import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * What an engine is asked to keep to, measured one after the other in about 8 minutes of a quiet machine: overhead and scaling with 1, 2 and 4
 * workers (asked: 1.5× by the clock and by all CPU, of one or two workers), a pull of 1,000,000 records (15 s), recovery from 20 kills (12 s).
 *
 *     node bench/workers/main.ts
 */
const root = join(import.meta.dirname, '../..');
const steps = [
  ['packages/cli/build.ts'],
  ['bench/workers.bench.ts', '20000', '3', '1,2,4'],
  ['bench/pull.bench.ts', '100000'],
  ['bench/workers/recovery.ts', '20', '12'],
];
for (const [file = '', ...argv] of steps) {
  process.stdout.write(`\n${['node', file, ...argv].join(' ')}\n`);
  const { status } = spawnSync(process.execPath, [join(root, file), ...argv], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exitCode = 1;
}
