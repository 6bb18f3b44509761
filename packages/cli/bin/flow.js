#!/usr/bin/env node
import { prepareStart } from './prepare-start.js';

const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `From its sources flow needs Node 24; this is Node ${process.versions.node}.\n` +
      'npx -y pnpm@10 flow … brings its own; the packages that npx -y pnpm@10 packages writes run on Node 22.19 or newer.\n',
  );
  process.exit(2);
}
// With types stripped once, the second start takes less than half the time.
prepareStart();
const [{ main }, { createProcessIo, endProcess }] = await Promise.all([
  import('../src/main.ts'),
  import('../src/process-io.ts'),
]);
await endProcess(await main(process.argv.slice(2), createProcessIo()));
