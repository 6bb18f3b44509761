import type { DatabaseSync } from 'node:sqlite';
import { RunFileError } from './run-file-error.ts';

/** `unrl`: marks a file as a record of ours (`PRAGMA application_id`). */
const applicationId = 0x756e_726c;
/** `PRAGMA user_version`; raised when files change so that an earlier release would misread them. */
const formatVersion = 1;

/** As `sqlite_schema` keeps them, which is compared with them. */
const schema: readonly string[] = [
  'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT',
  `CREATE TABLE nodes (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, checksum INTEGER NOT NULL,
    UNIQUE (name, kind)) STRICT`,
  `CREATE TABLE node_ends (
    line INTEGER NOT NULL, repeat INTEGER NOT NULL, node INTEGER NOT NULL, status INTEGER NOT NULL,
    started_at REAL, duration_ms REAL, prompt_tokens INTEGER, completion_tokens INTEGER,
    place INTEGER NOT NULL, size INTEGER NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (line, repeat, node)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE row_ends (
    line INTEGER NOT NULL, repeat INTEGER NOT NULL, status INTEGER NOT NULL, started_at REAL, duration_ms REAL,
    unfinished INTEGER NOT NULL, place INTEGER NOT NULL, size INTEGER NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (line, repeat)) STRICT, WITHOUT ROWID`,
  'CREATE TABLE row_digests (row INTEGER PRIMARY KEY, digests BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT',
  'CREATE TABLE metrics (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT',
  `CREATE TABLE totals (
    name TEXT PRIMARY KEY, records INTEGER NOT NULL, keys INTEGER NOT NULL, checksums INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, nanoseconds INTEGER NOT NULL)
    STRICT, WITHOUT ROWID`,
  'CREATE TABLE segments (id INTEGER PRIMARY KEY, bytes BLOB, checksum INTEGER) STRICT',
  `CREATE TABLE journal (
    segment INTEGER NOT NULL, start INTEGER NOT NULL, bytes BLOB NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (segment, start)) STRICT`,
  `CREATE VIEW node_records AS
    SELECT line, repeat, nodes.name AS node,
      CASE status WHEN 0 THEN 'Completed' WHEN 1 THEN 'Bypassed' WHEN 2 THEN 'Failed' WHEN 3 THEN 'Canceled'
        ELSE 'NotRun' END AS status,
      started_at, duration_ms, prompt_tokens, completion_tokens, place
    FROM node_ends JOIN nodes ON nodes.id = node_ends.node`,
  `CREATE VIEW row_records AS
    SELECT line, repeat, CASE status WHEN 0 THEN 'Completed' WHEN 2 THEN 'Failed' ELSE 'Canceled' END AS status,
      started_at, duration_ms, unfinished, substr(digests, 2, 16) AS inputs_hash, substr(digests, 18, 16) AS outputs_hash
    FROM row_ends LEFT JOIN row_digests ON row = line * 1048576 + repeat`,
];

/** Makes the tables of a new file, inside the caller's transaction. */
export function createTables(database: DatabaseSync): void {
  for (const statement of schema) database.exec(statement);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion}`);
}

/** @throws RunFileError when the file is none of ours, is of another format, or its tables are not as they were made */
export function requireFormat(database: DatabaseSync, path: string): void {
  const made = database.prepare('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all();
  if (made.length === 0) {
    throw new RunFileError('the run was ended before its record began: nothing of it ran, its record can be removed');
  }
  const [id, version] = ['application_id', 'user_version'].map(
    (name) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0],
  );
  if (id !== applicationId) throw new RunFileError(foreignText(path, made));
  if (version !== formatVersion) {
    throw new RunFileError(
      `the run record ${path} has format ${version}, this release reads format ${formatVersion}: a newer release wrote it, or it is damaged`,
    );
  }
  if (made.map(({ sql }) => sql).join(';') !== schema.join(';')) {
    throw new RunFileError(`the run record ${path} is damaged: its tables are not as they were made`);
  }
}

/** Records of development versions had no mark, but the same table for what a run was. */
function foreignText(path: string, made: readonly Readonly<Record<string, unknown>>[]): string {
  const isOurs = made.some(({ name }) => name === 'meta') && made.some(({ name }) => name === 'metrics');
  if (!isOurs) return `${path} is no run record`;
  return `${path} was written by a development version of Unroll and is no longer read, or is damaged`;
}
