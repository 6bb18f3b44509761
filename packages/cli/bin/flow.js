#!/usr/bin/env node
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `From its sources flow needs Node 24; this is Node ${process.versions.node}.\n` +
      'npx -y pnpm@10 flow … brings its own; the packages that npx -y pnpm@10 packages writes run on Node 22.19 or newer.\n',
  );
  process.exit(2);
}
// With types stripped once, the second start takes less than half the time.
keepCompiled();
// Node calls node:sqlite experimental, on every start.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
};
const [{ main }, { createProcessIo, endProcess }] = await Promise.all([
  import('../src/main.ts'),
  import('../src/process-io.ts'),
]);
await endProcess(await main(process.argv.slice(2), createProcessIo()));

/** Node never ends where the folder for it cannot be made, as below `/proc`; where it is not made here, each start compiles. */
function keepCompiled() {
  try {
    mkdirSync(join(tmpdir(), 'node-compile-cache'));
  } catch (error) {
    if (error.code !== 'EEXIST') return;
  }
  module.enableCompileCache();
}
