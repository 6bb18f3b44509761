import type { DatabaseSync } from 'node:sqlite';
import { fillRowDigests } from './fill-row-digests.ts';
import { RunFileError } from './run-file-error.ts';

/**
 * Only ever added to; the number of applied ones is the file's `user_version`. The records of formats 1 to 3 are read
 * before the fourth step takes their tables away, and appended again after it (`old-records.ts`).
 */
const migrations: readonly (string | ((database: DatabaseSync) => void))[] = [
  `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE node_runs (
     line INTEGER NOT NULL, node TEXT NOT NULL, position INTEGER NOT NULL, status TEXT NOT NULL, record TEXT NOT NULL,
     PRIMARY KEY (line, node)) STRICT, WITHOUT ROWID;
   CREATE TABLE row_runs (line INTEGER PRIMARY KEY, status TEXT NOT NULL, record TEXT NOT NULL) STRICT;
   CREATE TABLE metrics (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
  `CREATE TABLE node_records (
     line INTEGER NOT NULL, repeat INTEGER NOT NULL, node TEXT NOT NULL, position INTEGER NOT NULL,
     status TEXT NOT NULL, output_hash TEXT NOT NULL, inputs_hash TEXT NOT NULL, fingerprint TEXT,
     record TEXT NOT NULL, PRIMARY KEY (line, repeat, node)) STRICT, WITHOUT ROWID;
   CREATE TABLE row_records (
     line INTEGER NOT NULL, repeat INTEGER NOT NULL, status TEXT NOT NULL, record TEXT NOT NULL,
     PRIMARY KEY (line, repeat)) STRICT, WITHOUT ROWID;
   INSERT INTO node_records SELECT line, 0, node, position, status, '', '', NULL, record FROM node_runs;
   INSERT INTO row_records SELECT line, 0, status, record FROM row_runs;
   DROP TABLE node_runs;
   DROP TABLE row_runs;`,
  `ALTER TABLE row_records ADD COLUMN inputs_hash TEXT NOT NULL DEFAULT '';
   ALTER TABLE row_records ADD COLUMN outputs_hash TEXT NOT NULL DEFAULT '';`,
  `DROP TABLE node_records;
   DROP TABLE row_records;
   CREATE TABLE nodes (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, UNIQUE (name, kind)) STRICT;
   CREATE TABLE node_ends (
     line INTEGER NOT NULL, repeat INTEGER NOT NULL, node INTEGER NOT NULL, status INTEGER NOT NULL,
     started_at REAL, duration_ms REAL, output_hash BLOB NOT NULL, inputs_hash BLOB NOT NULL, fingerprint BLOB,
     prompt_tokens INTEGER, completion_tokens INTEGER, place INTEGER NOT NULL, size INTEGER NOT NULL,
     PRIMARY KEY (line, repeat, node)) STRICT, WITHOUT ROWID;
   CREATE TABLE row_ends (
     line INTEGER NOT NULL, repeat INTEGER NOT NULL, status INTEGER NOT NULL, started_at REAL, duration_ms REAL,
     unfinished INTEGER NOT NULL, inputs_hash BLOB NOT NULL, outputs_hash BLOB NOT NULL,
     place INTEGER NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (line, repeat)) STRICT, WITHOUT ROWID;
   CREATE TABLE segments (id INTEGER PRIMARY KEY, bytes BLOB) STRICT;
   CREATE TABLE journal (segment INTEGER NOT NULL, start INTEGER NOT NULL, bytes BLOB NOT NULL,
     PRIMARY KEY (segment, start)) STRICT;
   CREATE VIEW node_records AS
     SELECT line, repeat, nodes.name AS node,
       CASE status WHEN 0 THEN 'Completed' WHEN 1 THEN 'Bypassed' WHEN 2 THEN 'Failed' WHEN 3 THEN 'Canceled'
         ELSE 'NotRun' END AS status,
       started_at, duration_ms, output_hash, inputs_hash, fingerprint, prompt_tokens, completion_tokens, place
     FROM node_ends JOIN nodes ON nodes.id = node_ends.node;
   CREATE VIEW row_records AS
     SELECT line, repeat, CASE status WHEN 0 THEN 'Completed' WHEN 2 THEN 'Failed' ELSE 'Canceled' END AS status,
       started_at, duration_ms, unfinished, inputs_hash, outputs_hash FROM row_ends;`,
  (database) => {
    database.exec('CREATE TABLE row_digests (row INTEGER PRIMARY KEY, digests BLOB NOT NULL) STRICT');
    fillRowDigests(database, { from: 'main', into: 'main.row_digests' });
    database.exec(`DROP VIEW node_records;
      DROP VIEW row_records;
      ALTER TABLE node_ends DROP COLUMN output_hash;
      ALTER TABLE node_ends DROP COLUMN inputs_hash;
      ALTER TABLE row_ends DROP COLUMN inputs_hash;
      ALTER TABLE row_ends DROP COLUMN outputs_hash;
      CREATE VIEW node_records AS
        SELECT line, repeat, nodes.name AS node,
          CASE status WHEN 0 THEN 'Completed' WHEN 1 THEN 'Bypassed' WHEN 2 THEN 'Failed' WHEN 3 THEN 'Canceled'
            ELSE 'NotRun' END AS status,
          started_at, duration_ms, fingerprint, prompt_tokens, completion_tokens, place
        FROM node_ends JOIN nodes ON nodes.id = node_ends.node;
      CREATE VIEW row_records AS
        SELECT line, repeat, CASE status WHEN 0 THEN 'Completed' WHEN 2 THEN 'Failed' ELSE 'Canceled' END AS status,
          started_at, duration_ms, unfinished, substr(digests, 2, 16) AS inputs_hash, substr(digests, 18, 16) AS outputs_hash
        FROM row_ends LEFT JOIN row_digests ON row = line * 1048576 + repeat;`);
  },
];

/** The first format whose payloads are in segments, and which is brought up to date where it is. */
export const firstWithSegments = 4;
/** The first format that keeps the digests of a row together. */
export const firstWithRowDigests = 5;

export const formatVersion = migrations.length;

/** @throws RunFileError when a newer release wrote the file */
export function versionOf(database: DatabaseSync): number {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > formatVersion) throw new RunFileError('the run was recorded by a newer release of flow');
  return version;
}

/** Brings the tables up to date, inside the caller's transaction. */
export function migrate(database: DatabaseSync): void {
  const applied = versionOf(database);
  for (const step of migrations.slice(applied)) {
    if (typeof step === 'string') database.exec(step);
    else step(database);
  }
  database.exec(`PRAGMA user_version = ${formatVersion}`);
}
