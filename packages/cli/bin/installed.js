#!/usr/bin/env node
// Starts the bundle: dist/flow.js of the installed package.
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`flow needs Node 22.19 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
keepCompiled();
// Node 22 calls node:sqlite and the stripping of types experimental, on every start.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
};
const { main, createProcessIo, endProcess } = await import('./main.js');
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
