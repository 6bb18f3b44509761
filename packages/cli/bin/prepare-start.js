import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What each start of `flow` sets in its process before it loads anything else, from the sources and installed. */
export function prepareStart() {
  keepCompiled();
  hideExperiments();
}

/** Node never ends where the folder for it cannot be made, as below `/proc`; where it is not made here, each start compiles. */
function keepCompiled() {
  try {
    mkdirSync(join(tmpdir(), 'node-compile-cache'));
  } catch (error) {
    if (error.code !== 'EEXIST') return;
  }
  module.enableCompileCache();
}

/** Node calls `node:sqlite`, and Node 22 the stripping of types, experimental on every start. */
function hideExperiments() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
  };
}
