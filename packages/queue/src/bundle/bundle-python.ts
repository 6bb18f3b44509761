import { createHash } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, takeFileLock } from '@unroll/engine';
import { findMachinePython, flowPython, setUpPython } from '@unroll/nodes';
import { ProjectFailure } from '@unroll/project';
import type { UnpackedBundle } from './unpack-bundle.ts';

export interface PythonSettings {
  /** Folder where environments are kept for all bundles, absolute. */
  readonly cache: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Told of what is done, a line each. */
  readonly onLine: (line: string) => void;
}

/**
 * Makes what the requirements.txt of a bundle lists ready, once for all bundles with the same text.
 *
 * @returns false where another worker of this machine is at it: to be asked again
 * @throws ProjectFailure where it cannot be built here
 */
export async function prepareBundlePython({ found }: UnpackedBundle, settings: PythonSettings): Promise<boolean> {
  const { cache, environment, signal, onLine } = settings;
  const own = flowPython(found.folder);
  if (own.requirements === undefined || own.isReady) return true;
  shareEnvironments(found.folder, own.requirements, cache);
  makeFolder(dirname(own.folder));
  const lock = takeFileLock(`${own.folder}.lock`, `process ${process.pid}`);
  if ('heldBy' in lock) return false;
  try {
    if (flowPython(found.folder).isReady) return true;
    const python = findMachinePython(environment);
    if (!python.ok) throw notBuilt(`no Python was found: looked for ${python.tried.join(', ')}`);
    onLine('builds the Python environment of the flow');
    const { command } = python;
    const made = await setUpPython(own, { python: command, flowFolder: found.folder, environment, signal, onLine });
    if (!made.ok) throw notBuilt(made.message, `${made.said}\n${made.help}`);
    return true;
  } finally {
    lock.release(false);
  }
}

function notBuilt(message: string, help?: string): ProjectFailure {
  return new ProjectFailure(`the requirements of the flow cannot be built: ${message}`, {
    code: 'RequirementsNotBuilt',
    kind: 'failed',
    help,
  });
}

/** Requirements that name files of the bundle have an environment in it: the same text may mean other files in another. */
function shareEnvironments(folder: string, requirements: string, cache: string): void {
  const text = readFileSync(requirements, 'utf8');
  const place = join(folder, '.flow', 'python');
  if (
    existsSync(place) ||
    /^\s*(?:\.{0,2}\/|-[ercf]\b|--(?:requirement|constraint|editable|find-links))|file:/m.test(text)
  )
    return;
  const shared = join(cache, 'python', createHash('sha256').update(text).digest('hex'));
  makeFolder(shared);
  makeFolder(dirname(place));
  try {
    symlinkSync(shared, place, 'junction');
  } catch (error) {
    if (!existsSync(place)) throw error;
  }
}
