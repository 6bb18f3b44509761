import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * A lock that the operating system lets go of when its process ends, however it ends: a write transaction of SQLite that
 * stays open on a small file. It holds between processes that do not see each other, as in two containers over one folder,
 * where the number of a process says nothing.
 *
 * Within one process such a file may only be opened by SQLite: closing it by other means lets go of the lock (POSIX).
 */
export interface FileLock {
  /** Lets go of the lock; the file stays where `keepsFile`. */
  release(keepsFile: boolean): void;
}

/**
 * @param owner what another process is told that finds the lock held
 * @returns the lock, or the words of who holds it; `''` where they are not known
 * @throws when the file cannot be written
 */
export function takeFileLock(path: string, owner: string): FileLock | { readonly heldBy: string } {
  for (;;) {
    const taken = tryLock(path, owner);
    if (taken !== undefined) return taken;
  }
}

/** @returns undefined where it has to be tried again */
function tryLock(path: string, owner: string): FileLock | { readonly heldBy: string } | undefined {
  const database = openLock(path);
  try {
    const mark = randomUUID();
    if (!isTaken(database, () => writeOwner(database, owner, mark))) return lockRefusal(database);
    // Who held it before may have removed the file between its opening and its locking: then this lock is on no file.
    if (markOf(path) === mark) return lockOn(database, path);
    database.close();
  } catch (error) {
    if (database.isOpen) database.close();
    if (!isForeign(error)) throw error;
    rmSync(path, { force: true });
  }
  return undefined;
}

/** Whether a process holds the lock; a file that none does was left by one that ended. */
export function isFileLocked(path: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: false, timeout: 0 });
    return !isTaken(database, () => undefined);
  } catch {
    // What is no lock of ours, or cannot be opened to write, is held by nobody who writes.
    return false;
  } finally {
    if (database?.isOpen) database.close();
  }
}

function openLock(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing in the file outlives the lock, so nothing waits for the disk.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  } catch (error) {
    // Told, or mended, by what is done with it next.
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
    database.exec('BEGIN IMMEDIATE');
    write();
    database.exec('COMMIT');
    database.exec('BEGIN IMMEDIATE');
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

function lockRefusal(database: DatabaseSync): { readonly heldBy: string } {
  try {
    return { heldBy: String(database.prepare('SELECT words FROM owner').get()?.['words'] ?? '') };
  } catch {
    // Who holds it is just writing.
    return { heldBy: '' };
  } finally {
    database.close();
  }
}

function markOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return String(database.prepare('SELECT mark FROM owner').get()?.['mark']);
  } catch {
    // Removed, or another's that is just written.
    return undefined;
  } finally {
    database.close();
  }
}

function lockOn(database: DatabaseSync, path: string): FileLock {
  return {
    release(keepsFile) {
      if (!database.isOpen) return;
      if (!keepsFile) rmSync(path, { force: true });
      database.close();
    },
  };
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
