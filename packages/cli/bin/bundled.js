#!/usr/bin/env node
// Starts the bundle: what the build writes to dist/flow.js, with DIGEST of what it built.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`flow needs Node 22.18 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(2);
}
const fs = process.getBuiltinModule('node:fs');
const { Script, constants } = process.getBuiltinModule('node:vm');
const { createRequire, enableCompileCache, getCompileCacheDir } = process.getBuiltinModule('node:module');
const { fileURLToPath } = process.getBuiltinModule('node:url');

// For code of flows, with its types stripped.
enableCompileCache();
// Node 22 calls node:sqlite and the stripping of types experimental, on every start.
const { emitWarning } = process;
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
};

const folder = fileURLToPath(new URL('.', import.meta.url));
const argv = process.argv.slice(2);
const command = /^[a-z][a-z-]*$/.test(argv[0] ?? '') ? argv[0] : 'help';

/**
 * Runs a file of the bundle with V8's own code for all that earlier starts used of it. Node's compile cache keeps a file as it
 * is compiled when loaded: without the functions, which V8 compiles when they are first called. Kept is a byte for the file
 * and for each module of it, 1 where it was used, and the code; a start that uses another module adds to it.
 *
 * @returns what the file exports
 */
function runBundle(name, keptName) {
  const path = `${folder}${name}.cjs`;
  // esbuild writes ASCII.
  const source = `(function(exports,require,module,__filename,__dirname,units,library){${fs.readFileSync(path, 'latin1')}\n})`;
  const keptPath = getCompileCacheDir() && `${getCompileCacheDir()}/flow-DIGEST-${keptName}.bin`;
  const kept = readKept(keptPath);
  const script = new Script(source, {
    filename: path,
    ...(kept === undefined ? {} : { cachedData: kept.code }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  // Megabytes that would stay until the heap is collected.
  if (kept !== undefined) kept.code.buffer.transfer(0);
  const units = [true];
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, createRequire(path), bundle, path, folder, units, library);
  if (keptPath !== undefined) {
    const known = kept !== undefined && !script.cachedDataRejected ? kept.units : [];
    process.on('exit', (code) => keep(keptPath, script, units, known, code));
  }
  return bundle.exports;
}

const libraries = new Map();
function library(name) {
  if (!libraries.has(name)) libraries.set(name, runBundle(`libraries/${name}`, `library-${name}`));
  return libraries.get(name);
}

function readKept(path) {
  if (path === undefined) return undefined;
  try {
    // The folder may be one where others write: code that they left there is not run.
    if (process.getuid !== undefined && fs.lstatSync(path).uid !== process.getuid()) return undefined;
    const bytes = fs.readFileSync(path);
    const start = 4 + bytes.readUInt32LE(0);
    return start > bytes.length
      ? undefined
      : { units: Buffer.from(bytes.subarray(4, start)), code: bytes.subarray(start) };
  } catch {
    return undefined;
  }
}

/** A command that was refused or stopped has not used what the next one will. */
function keep(path, script, units, known, exitCode) {
  if (exitCode === 2 || exitCode > 3 || !units.some((isUsed, unit) => isUsed && known[unit] !== 1)) return;
  const used = Buffer.from(units.map((isUsed, unit) => (isUsed || known[unit] === 1 ? 1 : 0)));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(used.length);
  const temporary = `${path}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, Buffer.concat([length, used, script.createCachedData()]), { mode: 0o600 });
    fs.renameSync(temporary, path);
  } catch {
    // A start without it is slower; nothing else depends on it.
    fs.rmSync(temporary, { force: true });
  }
}

/** Without a command there is only help to print. */
function printsHelp() {
  if (command !== 'help' || argv.length > 1) return false;
  const { printHelp, createProcessIo } = runBundle('help', 'help');
  return printHelp(argv, createProcessIo());
}

if (!printsHelp()) {
  // What editors and hooks run again and again has a bundle of its own.
  const isCheck = command === 'check' || command === 'validate';
  const { main, createProcessIo } = isCheck ? runBundle('check', 'check') : runBundle('command', `command-${command}`);
  process.exitCode = await main(argv, createProcessIo());
}
