import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * A lock that the operating system lets go of when its process ends, however it ends: an exclusive transaction of SQLite that
 * stays open on a small file. It holds between processes that do not see each other, as in two containers over one folder,
 * where the number of a process says nothing. Who looks whether it is held only reads, so that any number may look at once.
 *
 * Within one process such a file may only be opened by SQLite: closing it by other means lets go of the lock (POSIX).
 */
export interface FileLock {
  /** Lets go of the lock; the file stays where `keepsFile`. */
  release(keepsFile: boolean): void;
}

/** Milliseconds that who takes a lock waits for one who only looks at it, and how often. */
const lookerMs = 100;
const maxLookers = 50;

/**
 * @param owner what another process is told that finds the lock held
 * @returns the lock, or the words of who holds it; `''` where they are not known
 * @throws when the file cannot be written
 */
export function takeFileLock(path: string, owner: string): FileLock | { readonly heldBy: string } {
  let lookers = 0;
  for (;;) {
    const taken = tryLock(path, owner, lookers === 0 ? 0 : lookerMs);
    if (taken === 'in the way') lookers += 1;
    else if (taken !== undefined) return taken;
    if (lookers > maxLookers || (taken === 'in the way' && isFileLocked(path))) {
      return { heldBy: columnText(path, 'words') ?? '' };
    }
  }
}

/** @returns undefined where it has to be tried again; `in the way`: another holds the lock, or just looks at it */
function tryLock(path: string, owner: string, timeout: number): FileLock | 'in the way' | undefined {
  const database = openLock(path, timeout);
  try {
    const mark = randomUUID();
    const isOurs = isTaken(database, () => writeOwner(database, owner, mark));
    // Who held it before may have removed the file between its opening and its locking: then this lock is on no file.
    if (isOurs && columnText(path, 'mark') === mark) return lockOn(database, path);
    database.close();
    return isOurs ? undefined : 'in the way';
  } catch (error) {
    if (database.isOpen) database.close();
    // Made and not written, as on a full disk. Who takes it at this moment finds that it is gone, and makes it again.
    if (!isForeign(error) && isEmpty(path)) rmSync(path, { force: true });
    if (!isForeign(error)) throw error;
    rmSync(path, { force: true });
    return undefined;
  }
}

function isEmpty(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === 0;
}

/** Whether a process holds the lock; a file that none does was left by one that ended. */
export function isFileLocked(path: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    // Never made by looking: its owner may just have removed it.
    database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    database.prepare('PRAGMA schema_version').get();
    return false;
  } catch (error) {
    // What is no lock of ours, or cannot be opened, is held by nobody who writes.
    return isBusy(error);
  } finally {
    if (database?.isOpen) database.close();
  }
}

function openLock(path: string, timeout: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout });
  try {
    // Nothing in the file outlives the lock, so nothing waits for the disk.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  } catch (error) {
    // Told, or repaired, by what is done with it next.
    if (!isBusy(error) && !isForeign(error)) {
      database.close();
      throw error;
    }
  }
  return database;
}

/** @returns false where another process has the lock; else it is had, with what `write` wrote to be read by others */
function isTaken(database: DatabaseSync, write: () => void): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    write();
    database.exec('COMMIT');
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function writeOwner(database: DatabaseSync, owner: string, mark: string): void {
  database.exec('CREATE TABLE IF NOT EXISTS owner (words TEXT, mark TEXT); DELETE FROM owner');
  database.prepare('INSERT INTO owner (words, mark) VALUES (?, ?)').run(owner, mark);
}

/** What the owner wrote before it locked the file; undefined where it is just writing, or has removed it. */
function columnText(path: string, column: 'words' | 'mark'): string | undefined {
  if (!existsSync(path)) return undefined;
  const url = pathToFileURL(path);
  // Read past the lock.
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    const found = database.prepare(`SELECT ${column} AS text FROM owner`).get();
    return found === undefined ? undefined : String(found['text']);
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}

function lockOn(database: DatabaseSync, path: string): FileLock {
  return {
    release(keepsFile) {
      if (!database.isOpen) return;
      if (keepsFile) database.close();
      else if (process.platform === 'win32') closeAndRemove(database, path);
      else {
        // Before the lock goes: else another takes it on a file that is removed then.
        rmSync(path, { force: true });
        database.close();
      }
    },
  };
}

/** Windows removes no file that somebody has open, so none on which another has taken a lock meanwhile. */
function closeAndRemove(database: DatabaseSync, path: string): void {
  database.close();
  try {
    // `recursive`, since else nothing is tried again where another only looks at it.
    rmSync(path, { force: true, recursive: true, maxRetries: 10, retryDelay: 20 });
  } catch (error) {
    if (!isHeldOpen(error)) throw error;
  }
}

function isHeldOpen(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['EBUSY', 'EPERM'].includes(String(error.code));
}

function isBusy(error: unknown): boolean {
  return codeOf(error) === 5 || codeOf(error) === 6;
}

/** Not a file of SQLite, or damaged. */
function isForeign(error: unknown): boolean {
  return codeOf(error) === 26 || codeOf(error) === 11;
}

function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
}
