#!/usr/bin/env node
// Starts the bundle: dist/flow.js of the installed package.
import { prepareStart } from './prepare-start.js';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`flow needs Node 22.19 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
prepareStart();
const { main, createProcessIo, endProcess } = await import('./main.js');
await endProcess(await main(process.argv.slice(2), createProcessIo()));
