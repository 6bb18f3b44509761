import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { flowPython } from './flow-python.ts';

/** A Python to start, or the names that were looked for in vain. */
export type FoundPython =
  | { readonly ok: true; readonly command: string }
  | { readonly ok: false; readonly tried: readonly string[] };

/**
 * The Python of a flow: the environment `flow python setup` made for it, else `.venv` of its folder,
 * else the machine's.
 *
 * @param folder absolute folder of the flow
 */
export function findPython(folder: string, environment: Readonly<Record<string, string | undefined>>): FoundPython {
  const own = flowPython(folder);
  if (own.isReady) return { ok: true, command: own.command };
  for (const path of [join(folder, '.venv/bin/python'), join(folder, '.venv/Scripts/python.exe')]) {
    if (existsSync(path)) return { ok: true, command: path };
  }
  return findMachinePython(environment);
}

/** `UNROLL_PYTHON` or `PYTHON`, else `python3` or `python` on the path; on Windows `python` first, since `python3` may only open the store there. */
export function findMachinePython(environment: Readonly<Record<string, string | undefined>>): FoundPython {
  const { UNROLL_PYTHON, PYTHON } = environment;
  const named = UNROLL_PYTHON || PYTHON;
  const tried = named === undefined || named === '' ? machineNames() : [named];
  const command = tried.find((name) => isOnPath(name, environment));
  return command === undefined ? { ok: false, tried } : { ok: true, command };
}

function machineNames(): readonly string[] {
  return process.platform === 'win32' ? ['python', 'python3'] : ['python3', 'python'];
}

function isOnPath(name: string, environment: Readonly<Record<string, string | undefined>>): boolean {
  if (isAbsolute(name) || /[\\/]/.test(name)) return existsSync(name);
  const { PATH, Path } = environment;
  const endings = process.platform === 'win32' ? ['.exe', '.bat', '.cmd', ''] : [''];
  const folders = (PATH ?? Path ?? '').split(delimiter);
  return folders.some((folder) => endings.some((ending) => existsSync(join(folder, name + ending))));
}
