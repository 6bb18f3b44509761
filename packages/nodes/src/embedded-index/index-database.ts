import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteReason } from '@unroll/engine/values';
import { IndexError } from './index-error.ts';
import { tokenizerName } from './search-words.ts';

export type { DatabaseSync } from 'node:sqlite';

/**
 * The door to SQLite for indexes. One file holds:
 *
 *     settings    what it was made with
 *     sources     the files its documents come from, with their digests
 *     documents   as they were read                 attributes   their fields, one row a value, for filters
 *     terms       FTS5 over their words             embeddings   vectors by the content they were made of
 */
const schema = `
  CREATE TABLE settings(name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
  CREATE TABLE sources(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL);
  CREATE TABLE documents(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source INTEGER NOT NULL, digest BLOB NOT NULL,
    embedding INTEGER, title TEXT, text TEXT NOT NULL, fields TEXT NOT NULL);
  CREATE INDEX documents_of_source ON documents(source);
  CREATE INDEX documents_without_vector ON documents(id) WHERE embedding IS NULL;
  CREATE TABLE attributes(field TEXT NOT NULL, value NOT NULL, document INTEGER NOT NULL,
    PRIMARY KEY(field, value, document)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE terms USING fts5(title, text, others, content='', contentless_delete=1, tokenize='ascii');
  INSERT INTO terms(terms, rank) VALUES('rank', 'bm25(2.0, 1.0, 1.0)');
  INSERT INTO terms(terms, rank) VALUES('hashsize', 67108864);
  CREATE TABLE embeddings(id INTEGER PRIMARY KEY, content BLOB NOT NULL UNIQUE, scale REAL NOT NULL, small BLOB NOT NULL);
  CREATE TABLE full_vectors(id INTEGER PRIMARY KEY, vector BLOB NOT NULL);`;

const applicationId = 0x756e7278;
const formatVersion = 1;

export function createIndexDatabase(path: string | ':memory:'): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000 });
  database.exec('PRAGMA page_size = 8192;');
  database.exec(whileWriting);
  makeTables(database);
  return database;
}

const whileWriting = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64000;';

/** All at once: a file is an index, or empty. */
function makeTables(database: DatabaseSync): void {
  inTransaction(database, () => {
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion}; ${schema}`);
    writeSetting(database, 'tokenizer', tokenizerName());
  });
}

/** As a build leaves it that was killed before it had made the tables. */
function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

/**
 * @param access several may read while one writes
 * @param shown what errors call the file
 * @throws IndexError when there is none, or one that cannot be searched by this program; what SQLite threw where it may not be written
 */
export function openIndexDatabase(path: string, access: 'read' | 'write', shown = path): DatabaseSync {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new IndexError('IndexNotFound', `there is no index ${shown}`);
  const database = new DatabaseSync(path, { timeout: 5000, readOnly: access === 'read' });
  try {
    if (access === 'write') database.exec(whileWriting);
    if (access === 'write' && isEmpty(database)) makeTables(database);
    requireOurs(database, shown);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof IndexError) throw error;
    const reason = sqliteReason(error);
    if (reason !== undefined && access === 'write') throw error;
    if (reason !== undefined) {
      throw new IndexError('IndexInvalid', `${shown} cannot be read: ${reason}`, { isUnreadable: true });
    }
    throw new IndexError('IndexInvalid', `${shown} is no index of flow index build: ${(error as Error).message}`);
  }
}

function requireOurs(database: DatabaseSync, path: string): void {
  const [id, version] = ['application_id', 'user_version'].map(
    (name) => database.prepare(`PRAGMA ${name}`).get()?.[name],
  );
  if (id !== applicationId) throw new IndexError('IndexInvalid', `${path} is no index of flow index build`);
  if (version !== formatVersion) {
    const message = `${path} has format ${version}, this program reads format ${formatVersion}; build it again: flow index build`;
    throw new IndexError('IndexOutdated', message);
  }
  const tokenizer = readSetting(database, 'tokenizer');
  if (tokenizer === tokenizerName()) return;
  const message = `${path} was made with the tokenizer "${tokenizer}", this program and its Node cut texts by "${tokenizerName()}"; build it again: flow index build --rebuild`;
  throw new IndexError('IndexOutdated', message);
}

export function readSetting(database: DatabaseSync, name: string): string | undefined {
  return database.prepare('SELECT value FROM settings WHERE name = ?').get(name)?.['value'] as string | undefined;
}

export function writeSetting(database: DatabaseSync, name: string, value: string): void {
  prepareChange(database, 'INSERT OR REPLACE INTO settings(name, value) VALUES(?, ?)').run(name, value);
}

/**
 * A statement that changes something; what it tells, `lastInsertRowid` and `changes`, are big integers. The last row may be one of
 * FTS5's own tables, whose numbers are above those that JavaScript has: Node 26 throws where they are to be numbers.
 */
export function prepareChange(database: DatabaseSync, sql: string): ReturnType<DatabaseSync['prepare']> {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Leaves one file that can be read where nothing may be written; not while another process reads it. */
export function shutIndexDatabase(database: DatabaseSync): void {
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE;');
  } catch {
    // A reader keeps the log; the next one to close the file takes it in.
  }
  database.close();
}
