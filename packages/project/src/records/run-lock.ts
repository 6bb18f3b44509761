import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { isFileLocked, takeFileLock, thrownText } from '@unroll/engine';
import { ProjectFailure } from '../host/project-failure.ts';
import { writeRefusal } from '../host/refusal.ts';

/** Held while a process writes a record. */
export interface RunLock extends Disposable {
  /** Leaves word that the run was stopped before its last row. */
  leaveStopped(): void;
}

/**
 * Keeps two processes from going on with the same record at once, also those of two containers: a file beside it, locked by
 * the operating system. One that a killed process left behind is taken over.
 *
 * @throws ProjectFailure when another process is at work, or the lock cannot be written
 */
export function lockRun(recordPath: string, id: string): RunLock {
  const lock = takenLock(lockPath(recordPath), id);
  if ('heldBy' in lock) {
    throw new ProjectFailure(`run ${id} is being written by ${lock.heldBy || 'another process'}`, {
      help: 'Wait until it has ended, or stop it; then the run can go on.',
      code: 'RunInUse',
    });
  }
  let isStopped = false;
  return {
    leaveStopped() {
      isStopped = true;
    },
    [Symbol.dispose]() {
      lock.release(isStopped);
    },
  };
}

function takenLock(path: string, id: string): ReturnType<typeof takeFileLock> {
  try {
    return takeFileLock(path, `process ${process.pid} on ${hostname()}`);
  } catch (error) {
    const reason = writeRefusal(path) ?? thrownText(error);
    throw new ProjectFailure(`run ${id} cannot be written: ${path}: ${reason}`, { code: 'RecordNotWritable' });
  }
}

/** `running`: a process is at work on the record; `stopped`: the last one that was did not come to the end. */
export function lockState(recordPath: string): 'running' | 'stopped' | 'free' {
  const path = lockPath(recordPath);
  if (!existsSync(path)) return 'free';
  return isFileLocked(path) ? 'running' : 'stopped';
}

export function lockPath(recordPath: string): string {
  return `${recordPath}.lock`;
}
