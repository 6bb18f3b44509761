import { existsSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { parseOwnJson, printJson, type Value } from '../value/json.ts';
import { readKeptReads } from './kept-reads.ts';
import { createMemoryRunStore } from './memory-run-store.ts';
import { appendOldRecords, type OldRecords, readOldRecords } from './old-records.ts';
import { RunFileError, runFileError } from './run-file-error.ts';
import { RunFileReader } from './run-file-reader.ts';
import { firstWithSegments, formatVersion, migrate, versionOf } from './run-file-schema.ts';
import { RunFileWriter } from './run-file-writer.ts';
import type { RunInfo, RunStore } from './run-store.ts';
import { closeLeftSegments } from './segments.ts';
import { inTransaction, openForReading, openForWriting, shut, type WriteOptions } from './sqlite-driver.ts';

/**
 * Makes the record file of a new run: one SQLite file that can be copied, mailed and deleted as it is.
 *
 * @throws RunFileError when it cannot be written
 */
export function createSqliteRunStore(path: string, info: RunInfo, options: WriteOptions = {}): RunStore {
  return orRunFileError('write', path, () => {
    const database = createFile(path, info, options);
    return writingStore(path, database, info);
  });
}

function createFile(path: string, info: RunInfo, options: WriteOptions): DatabaseSync {
  const database = openForWriting(path, options);
  return orClosed(database, () => {
    inTransaction(database, () => {
      migrate(database);
      const text = printJson(info as unknown as Value);
      database.prepare("INSERT INTO meta (key, value) VALUES ('info', ?)").run(text);
      const addNode = database.prepare('INSERT OR IGNORE INTO nodes (name, kind) VALUES (?, ?)');
      for (const { name, kind } of info.nodes) addNode.run(name, kind);
    });
    return database;
  });
}

/**
 * Opens the record file of an earlier run for reading, also while another process writes it.
 *
 * @throws RunFileError when `path` is no record file or was written by a newer release
 */
export function openSqliteRunStore(path: string): RunStore {
  return orRunFileError('read', path, () => {
    const database = openForReading(requireFile(path));
    return orClosed(database, () => {
      requireBegun(database);
      const info = readInfo(database, path);
      if (versionOf(database) < firstWithSegments) return oldStore(database, info);
      return storeOver(info, new RunFileReader(database), readOnly(path), () => database.close());
    });
  });
}

/**
 * Opens the record file of an earlier run to add to it. A file of an older format is brought to the present one.
 *
 * @throws RunFileError when `path` is no record file, was written by a newer release or cannot be written
 */
export function continueSqliteRunStore(path: string, options: WriteOptions = {}): RunStore {
  return orRunFileError('write', path, () => {
    renewOldFile(requireFile(path));
    const database = openForWriting(path, options);
    return orClosed(database, () => {
      inTransaction(database, () => {
        closeLeftSegments(database);
        if (versionOf(database) < formatVersion) migrate(database);
      });
      return writingStore(path, database, readInfo(database, path));
    });
  });
}

function writingStore(path: string, database: DatabaseSync, info: RunInfo): RunStore {
  const reader = new RunFileReader(database);
  const writer = new RunFileWriter(path, database, reader.nextLine());
  return storeOver(info, reader, writer, () => {
    writer.close();
    shut(database);
  });
}

type Writer = Pick<RunFileWriter, 'append' | 'appendMetrics' | 'reopen' | 'commit'>;

/** What is read is what was appended: a group that waits for its commit is committed first. */
function storeOver(info: RunInfo, reader: RunFileReader, writer: Writer, close: () => void): RunStore {
  const committed = (): RunFileReader => {
    writer.commit();
    return reader;
  };
  return {
    info,
    append: (nodes, row) => writer.append(nodes, row),
    appendMetrics: (metrics) => writer.appendMetrics(metrics),
    nodes: (line, repeat = 0) => committed().nodes(line, repeat),
    rows: () => committed().rows(),
    row: (line, repeat = 0) => committed().row(line, repeat),
    rowCounts: () => committed().rowCounts(),
    rowEnds: () => committed().rowEnds(),
    readRows: (wanted) => committed().readRows(wanted),
    unfinishedCount: () => committed().unfinishedCount(),
    nodeCounts: () => committed().nodeCounts(),
    tokens: () => committed().tokens(),
    nextLine: () => committed().nextLine(),
    metrics: () => committed().metrics(),
    reopen: (rows) => writer.reopen(rows, info),
    digests: () => committed().digests(),
    async [Symbol.asyncDispose]() {
      close();
    },
  };
}

function readOnly(path: string): Writer {
  const refuse = (): never => {
    throw new Error(`bug: ${path} was opened for reading`);
  };
  return { append: refuse, appendMetrics: refuse, reopen: refuse, commit: () => {} };
}

function oldStore(database: DatabaseSync, info: RunInfo): RunStore {
  const store = createMemoryRunStore(info);
  appendOldRecords(readOldRecords(database), store);
  database.close();
  return store;
}

function renewOldFile(path: string): void {
  const database = openForReading(path);
  let records: OldRecords;
  let info: RunInfo;
  try {
    requireBegun(database);
    if (versionOf(database) >= firstWithSegments) return;
    info = readInfo(database, path);
    records = readOldRecords(database);
  } finally {
    database.close();
  }
  const renewed = `${path}.new`;
  rmSync(renewed, { force: true });
  const writing = createFile(renewed, info, {});
  const writer = new RunFileWriter(renewed, writing, 0);
  appendOldRecords(records, writer);
  writer.close();
  shut(writing);
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  renameSync(renewed, path);
}

function requireFile(path: string): string {
  if (!existsSync(path)) throw new RunFileError(`there is no run record ${path}`);
  return path;
}

/** A process that is killed while it makes its record leaves a file without tables. */
function requireBegun(database: DatabaseSync): void {
  if (database.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) return;
  throw new RunFileError('the run was ended before its record began: nothing of it ran, its record can be removed');
}

function readInfo(database: DatabaseSync, path: string): RunInfo {
  const row = database.prepare("SELECT value FROM meta WHERE key = 'info'").get();
  if (row === undefined) throw new RunFileError(`${path} holds no run`);
  const info = parseOwnJson(String(row['value'])) as unknown as RunInfo;
  const nodeReads = readKeptReads(database);
  return Object.keys(nodeReads).length === 0 ? info : { ...info, nodeReads };
}

function orClosed<T>(database: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

function orRunFileError<T>(doing: 'read' | 'write', path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw runFileError(doing, path, error);
  }
}
