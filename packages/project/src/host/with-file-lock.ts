import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { sqliteReason, takeFileLock } from '@unroll/engine';
import { ProjectFailure } from './project-failure.ts';
import { reasonOf, writeRefusal } from './refusal.ts';

/** A file as it is opened (absolute) and as a person would type it. */
export interface ShownFile {
  readonly file: string;
  readonly shown: string;
}

/**
 * Changes a file while no other process of ours does: two that change it at once come one after the other.
 *
 * @throws ProjectFailure where it cannot be written, or is being written for longer than a few seconds
 */
export async function withFileLock<Result>({ file, shown }: ShownFile, change: () => Promise<Result>): Promise<Result> {
  const lock = await lockFile(`${file}.lock`, shown);
  try {
    return await change();
  } finally {
    lock.release(false);
  }
}

const tries = 200;
const pauseMs = 25;

async function lockFile(path: string, shown: string): Promise<{ release(wasStopped: boolean): void }> {
  for (let tried = 0; tried < tries; tried += 1) {
    const lock = takenLock(path, shown);
    if (!('heldBy' in lock)) return lock;
    await wait(pauseMs);
  }
  throw new ProjectFailure(`${shown} is being written by another process`, { code: 'FileInUse' });
}

function takenLock(path: string, shown: string): ReturnType<typeof takeFileLock> {
  try {
    return takeFileLock(path, `process ${process.pid} on ${hostname()}`);
  } catch (error) {
    const reason = writeRefusal(path) ?? sqliteReason(error) ?? reasonOf(error);
    throw new ProjectFailure(`${shown} cannot be written: ${reason}`, { code: 'OutputNotWritable' });
  }
}
