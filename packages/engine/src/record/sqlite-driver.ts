import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

export interface WriteOptions {
  /** Waits for the disk at every commit, so that records outlive a crash of the machine as well. */
  readonly durable?: boolean;
  /**
   * Milliseconds between two commits, where nobody waits for them and a process that is killed may lose what ended in that time: each
   * commit writes pages of the one before again. As soon as can be where absent.
   */
  readonly commitEveryMs?: number;
}

export function openForWriting(path: string, { durable = false }: WriteOptions): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 });
  // Without a limit of 0 the log would end in frames of its last turn, among which damage cannot be told (`check-log.ts`).
  database.exec(`PRAGMA journal_size_limit = 0; PRAGMA page_size = 8192; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; PRAGMA cache_size = -2000;`);
  return database;
}

/** For a file that nobody else knows yet, and that is thrown away where its writing does not come to an end. */
export function openForHead(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
  return database;
}

/** The file itself is never changed. Beside a file that another process writes, SQLite's own `-shm` may be made. */
export function openForReading(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    database.prepare('PRAGMA user_version').get();
    return database;
  } catch (error) {
    database.close();
    if (hasLog(path)) throw error;
    return openUnchanging(path);
  }
}

/** Of a file that was not shut and lies in a folder that may not be written, without a log that would have to be read first. */
function openUnchanging(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Leaves one file, which can be read where nothing may be written; not while another process reads it. */
export function shut(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE;');
  } catch {
    // A reader keeps the log; the next one to close the file takes it in.
  }
  database.close();
}

export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
