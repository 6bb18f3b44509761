import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { whileAlone } from '@unroll/engine';
import { CommandFailure } from '../command-failure.ts';

/** Held while a process writes a record. */
export interface RunLock extends Disposable {
  /** Leaves word that the run was stopped before its last row. */
  leaveStopped(): void;
}

/**
 * Keeps two processes from going on with the same record at once: a file beside it that holds the id of the process at
 * work and when that began. One that a killed process left behind is taken over.
 *
 * @throws CommandFailure when another process is at work
 */
export function lockRun(recordPath: string, id: string): RunLock {
  const path = lockPath(recordPath);
  whileAlone(recordPath, () => {
    const holder = holderOf(path);
    if (holder !== undefined) {
      throw new CommandFailure(`run ${id} is being written by process ${holder}`, { code: 'RunInUse' });
    }
    writeFileSync(path, `${process.pid} ${startOf(process.pid)}`.trim());
  });
  let isStopped = false;
  return {
    leaveStopped() {
      isStopped = true;
      try {
        writeFileSync(path, 'stopped');
      } catch {
        // On a full disk the id of this process stays, which says the same once the process is gone.
      }
    },
    [Symbol.dispose]() {
      if (!isStopped) rmSync(path, { force: true });
    },
  };
}

/** `running`: a process is at work on the record; `stopped`: the last one that was did not come to the end. */
export function lockState(recordPath: string): 'running' | 'stopped' | 'free' {
  const path = lockPath(recordPath);
  if (!existsSync(path)) return 'free';
  return holderOf(path) === undefined ? 'stopped' : 'running';
}

export function lockPath(recordPath: string): string {
  return `${recordPath}.lock`;
}

/** When a process began, in ticks since the machine did: numbers of processes are used again. Empty where nobody tells. */
function startOf(id: number): string {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // One that was killed and that its parent has not looked after still has its number.
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

function holderOf(path: string): string | undefined {
  try {
    const [text = '', start] = readFileSync(path, 'utf8').split(' ');
    const id = Number(text);
    if (!Number.isInteger(id) || id <= 0 || id === process.pid) return undefined;
    process.kill(id, 0);
    return start !== undefined && start !== startOf(id) ? undefined : text;
  } catch (error) {
    // EPERM: it lives and is another user's; everything else means that there is no file or no such process.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'of another user' : undefined;
  }
}
