import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RunFileError } from './run-file-error.ts';

/**
 * Makes a record file that is there with its head or not at all: it is written under another name, brought to the disk,
 * and only then called what it is to be called. A process that is killed meanwhile leaves the name free.
 *
 * @param write makes the file and closes it
 * @throws RunFileError when there is such a record already
 */
export function bearRecord(path: string, write: (temporary: string) => void): void {
  clearUnborn(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    write(temporary);
    toDisk(temporary);
    if (!hasHead(path)) removeRecord(path);
    rename(temporary, path);
  } finally {
    removeRecord(temporary);
  }
}

/** Whether something was recorded there: a file of an earlier release whose process was killed at once holds nothing. */
export function hasHead(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  // Before its size is looked at: on Windows a folder has none.
  if (!found.isFile()) return true;
  if (found.size === 0) return false;
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    return database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined;
  } catch {
    // No database, or one that is damaged: somebody's file all the same.
    return true;
  }
}

/** Removes a record file and what SQLite leaves beside it. */
function removeRecord(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

function toDisk(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A link is refused where another process was faster with the same name; a rename would take its place. */
function rename(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (existsSync(to))
      throw new RunFileError(`there is a run record ${to} already`, 'there is one already', { cause: error });
    // Some file systems have no links.
    renameSync(from, to);
  }
}

const unborn = /\.run\.[0-9a-f]{12}\.new(?:-wal|-shm|-journal)?$/;
/** To write a head takes milliseconds. */
const leftBehindMs = 60_000;

/** Files of processes that were killed before their records were there. */
function clearUnborn(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!unborn.test(name)) continue;
    const path = join(folder, basename(name));
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > leftBehindMs) rmSync(path, { force: true });
  }
}
