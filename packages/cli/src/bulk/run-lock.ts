import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { CommandFailure } from '../command-failure.ts';

/**
 * Keeps two processes from going on with the same record at once: a file beside it that holds the id of the process at
 * work. One that a killed process left behind is taken over.
 *
 * @throws CommandFailure when another process is at work
 */
export function lockRun(recordPath: string, id: string): Disposable {
  const path = lockPath(recordPath);
  const holder = holderOf(path);
  if (holder !== undefined) {
    throw new CommandFailure(`run ${id} is being written by process ${holder}`, { code: 'RunInUse' });
  }
  writeFileSync(path, String(process.pid));
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

/** Whether a process is at work on a record. */
export function isLocked(recordPath: string): boolean {
  return holderOf(lockPath(recordPath)) !== undefined;
}

function lockPath(recordPath: string): string {
  return `${recordPath}.lock`;
}

function holderOf(path: string): number | undefined {
  try {
    const id = Number(readFileSync(path, 'utf8'));
    if (!Number.isInteger(id) || id <= 0 || id === process.pid) return undefined;
    process.kill(id, 0);
    return id;
  } catch (error) {
    // EPERM: it lives and is not ours; everything else means that there is no file or no such process.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 0 : undefined;
  }
}
