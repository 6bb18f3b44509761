#!/usr/bin/env node
// Starts the bundle: dist/flow.js of the installed package.
import { prepareStart } from './prepare-start.js';

// They call themselves Node of some version, and lack parts of it: SQLite, threads that import as Node does.
const other = Object.keys(process.versions).find((name) => name === 'bun' || name === 'deno');
if (other !== undefined) {
  process.stderr.write(`flow needs Node 22.19 or newer; this is ${other} ${process.versions[other]}.\n`);
  process.exit(2);
}
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`flow needs Node 22.19 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
prepareStart();
const { main, createProcessIo, endProcess } = await import('./main.js');
await endProcess(await main(process.argv.slice(2), createProcessIo()));
