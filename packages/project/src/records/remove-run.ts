import { existsSync, rmSync, statSync } from 'node:fs';
import { ProjectFailure } from '../host/project-failure.ts';
import { reasonOf } from '../host/refusal.ts';
import { lockPath, lockState } from './run-lock.ts';
import { marksPath } from './run-marks.ts';

/** The files of a record: itself, what is said of it, and what SQLite and a process at work may have left beside it. */
function filesOf(recordPath: string): readonly string[] {
  return [recordPath, `${recordPath}-wal`, `${recordPath}-shm`, lockPath(recordPath), marksPath(recordPath)].filter(
    (path) => existsSync(path),
  );
}

/** Bytes on disk. */
export function runSize(recordPath: string): number {
  return filesOf(recordPath).reduce((sum, path) => sum + statSync(path).size, 0);
}

/** @throws ProjectFailure when a process is at work on it, or the folder lets nothing be removed */
export function removeRun(recordPath: string, id: string): void {
  if (lockState(recordPath) === 'running') throw new ProjectFailure(`run ${id} is under way`, { code: 'RunInUse' });
  try {
    for (const path of filesOf(recordPath)) rmSync(path, { force: true });
  } catch (error) {
    throw new ProjectFailure(`run ${id} cannot be removed: ${reasonOf(error)}`, { code: 'RunNotRemoved' });
  }
}
