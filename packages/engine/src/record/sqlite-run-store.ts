import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parseJson, printJson, type Value } from '../value/json.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { recordDigest, rowDigest } from './record-digest.ts';
import type { RecordDigest, RunInfo, RunStore } from './run-store.ts';

/** Raised when a record file is none of ours or was written by a newer release. */
export class RunFileError extends Error {}

/** Makes the record file of a new run: one SQLite file that can be copied, mailed and deleted as it is. */
export function createSqliteRunStore(path: string, info: RunInfo): RunStore {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000;');
  migrate(database);
  database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('info', print(info));
  return storeOver(database, info);
}

/**
 * Opens the record file of an earlier run.
 *
 * @throws RunFileError when `path` is no record file or was written by a newer release
 */
export function openSqliteRunStore(path: string): RunStore {
  if (!existsSync(path)) throw new RunFileError(`there is no run record ${path}`);
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 5000;');
    migrate(database);
    const row = database.prepare("SELECT value FROM meta WHERE key = 'info'").get() as { value: string } | undefined;
    if (row === undefined) throw new RunFileError(`${path} holds no run`);
    return storeOver(database, read<RunInfo>(row.value));
  } catch (error) {
    database.close();
    if (error instanceof RunFileError) throw error;
    throw new RunFileError(`${path} is no run record: ${error instanceof Error ? error.message : error}`);
  }
}

/** Only ever added to. The number of applied ones is the file's `user_version`. */
const migrations: readonly string[] = [
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
];

function migrate(database: DatabaseSync): void {
  const { user_version: applied } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (applied > migrations.length) throw new RunFileError('the run was recorded by a newer release of flow');
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue;
    database.exec(`BEGIN; ${migration} PRAGMA user_version = ${index + 1}; COMMIT;`);
  }
}

function storeOver(database: DatabaseSync, info: RunInfo): RunStore {
  const addNode = database.prepare(
    `INSERT OR IGNORE INTO node_records
     (line, repeat, node, position, status, output_hash, inputs_hash, fingerprint, record)
     VALUES (?1, ?2, ?3, (SELECT count(*) FROM node_records WHERE line = ?1 AND repeat = ?2), ?4, ?5, ?6, ?7, ?8)`,
  );
  const addRow = database.prepare(
    `INSERT OR IGNORE INTO row_records (line, repeat, status, record, inputs_hash, outputs_hash)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const addMetric = database.prepare('INSERT OR REPLACE INTO metrics (name, value) VALUES (?, ?)');
  const selectNodes = database.prepare(
    'SELECT record FROM node_records WHERE line = ? AND repeat = ? ORDER BY position',
  );
  const selectRow = database.prepare('SELECT record FROM row_records WHERE line = ? AND repeat = ?');
  const selectRows = database.prepare('SELECT record FROM row_records ORDER BY line, repeat');
  return {
    info,
    append(runs, row) {
      inTransaction(database, () => {
        for (const run of runs) {
          const { line, repeat, node, status, outputHash, inputsHash, fingerprint = null } = recordDigest(run);
          addNode.run(line, repeat, node, status, outputHash, inputsHash, fingerprint, print(run));
        }
        if (row === undefined) return;
        const { inputsHash, outputsHash } = rowDigest(row);
        addRow.run(row.line, row.repeat ?? 0, row.status, print(row), inputsHash, outputsHash);
      });
    },
    appendMetrics(metrics) {
      inTransaction(database, () => {
        for (const [name, value] of Object.entries(metrics)) addMetric.run(name, printJson(value));
      });
    },
    nodes: (line, repeat = 0) => records<NodeRun>(selectNodes, line, repeat),
    rows: () => records<RowRun>(selectRows),
    row: (line, repeat = 0) => records<RowRun>(selectRow, line, repeat)[0],
    rowCounts: () => countRows(database),
    metrics: () => readMetrics(database),
    reopen: (rows) => inTransaction(database, () => reopenRows(database, rows, info)),
    digests: () => readDigests(database),
    async [Symbol.asyncDispose]() {
      database.close();
    },
  };
}

function countRows(database: DatabaseSync): ReturnType<RunStore['rowCounts']> {
  const counted = database.prepare('SELECT status, count(*) AS rows FROM row_records GROUP BY status').all();
  const counts = counted.map((row) => [row['status'], Number(row['rows'])]);
  return { Completed: 0, Failed: 0, Canceled: 0, ...Object.fromEntries(counts) };
}

function reopenRows(database: DatabaseSync, rows: Parameters<RunStore['reopen']>[0], info: RunInfo): void {
  const removeRow = database.prepare('DELETE FROM row_records WHERE line = ? AND repeat = ?');
  const removeNodes = database.prepare(
    "DELETE FROM node_records WHERE line = ? AND repeat = ? AND status <> 'Completed'",
  );
  for (const { line, repeat = 0 } of rows) {
    removeRow.run(line, repeat);
    removeNodes.run(line, repeat);
  }
  const removeAggregation = database.prepare('DELETE FROM node_records WHERE node = ?');
  for (const node of info.nodes) if (node.aggregation === true) removeAggregation.run(node.name);
  database.exec('DELETE FROM metrics');
}

function* readDigests(database: DatabaseSync): Generator<RecordDigest> {
  const rows = database
    .prepare(
      `SELECT line, repeat, node, status, output_hash AS outputHash, inputs_hash AS inputsHash, fingerprint
       FROM node_records ORDER BY line, repeat, position`,
    )
    .iterate() as Iterable<RecordDigest & { readonly fingerprint: string | null }>;
  for (const { fingerprint, ...digest } of rows) yield fingerprint === null ? digest : { ...digest, fingerprint };
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // Some failures, a full disk among them, have rolled back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function records<Record>(statement: StatementSync, ...parameters: readonly number[]): Record[] {
  return statement.all(...parameters).map((row) => read<Record>((row as { record: string }).record));
}

function readMetrics(database: DatabaseSync): Readonly<Record<string, Value>> {
  const rows = database.prepare('SELECT name, value FROM metrics ORDER BY rowid').all() as {
    name: string;
    value: string;
  }[];
  return Object.fromEntries(rows.map(({ name, value }) => [name, parseJson(value)]));
}

function print(record: object): string {
  return printJson(record as unknown as Value);
}

/** Records come back as they went in: this file's only writer is `print`. */
function read<Record>(text: string): Record {
  return parseJson(text) as unknown as Record;
}
