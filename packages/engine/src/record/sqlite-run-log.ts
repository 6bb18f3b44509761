import type { DatabaseSync } from 'node:sqlite';
import { type JsonValue, parseOwnJson, stringifyJson } from '../value/json.ts';
import { batchesOf } from './batches.ts';
import { isLogDamaged } from './check-log.ts';
import { requireSound } from './check-pages.ts';
import { entryChecksum } from './checksums.ts';
import { readKeptReads } from './kept-reads.ts';
import { missingText, raiseDamage } from './read-damage.ts';
import { bearRecord } from './record-birth.ts';
import { requireFile } from './require-file.ts';
import { type OnDamage, RunDamageError, runFileError } from './run-file-error.ts';
import { RunFileReader } from './run-file-reader.ts';
import { createTables, requireFormat } from './run-file-schema.ts';
import { RunFileWriter } from './run-file-writer.ts';
import type { RunInfo } from './run-info.ts';
import type { RunLog } from './run-log.ts';
import type { Batches, RunReader } from './run-reader.ts';
import { closeLeftSegments } from './segments.ts';
import {
  inTransaction,
  openForHead,
  openForReading,
  openForWriting,
  shut,
  type WriteOptions,
} from './sqlite-driver.ts';
import { countedTables, missingRecords, TableTotals } from './table-totals.ts';
import { addNodeName } from './write-statements.ts';

/**
 * Makes the record file of a new run: one SQLite file that can be copied, mailed and deleted as it is.
 *
 * @throws RunFileError when it cannot be written
 */
export function createSqliteRunLog(path: string, info: RunInfo, options: WriteOptions = {}): RunLog {
  return orRunFileError('write', path, () => {
    bearRecord(path, (temporary) => writeHead(temporary, info));
    const database = openForWriting(path, options);
    return orClosed(database, () => writingStore(path, database, info, options));
  });
}

function writeHead(path: string, info: RunInfo): void {
  const database = openForHead(path);
  try {
    inTransaction(database, () => {
      createTables(database);
      const text = stringifyJson(info as unknown as JsonValue);
      const checksum = entryChecksum('meta', 'info', text);
      database.prepare("INSERT INTO meta (key, value, checksum) VALUES ('info', ?, ?)").run(text, checksum);
      const names = new Map(info.nodes.map(({ name, kind }) => [`${name}\n${kind}`, { name, kind }]));
      for (const { name, kind } of names.values()) addNodeName(database, name, kind);
      const totals = new TableTotals(database);
      for (const table of countedTables) totals.countAnew(table);
      totals.keep();
    });
  } finally {
    database.close();
  }
}

export interface ReadOptions {
  /**
   * Told of rows that are left out where many are read, since they are damaged, and of whatever else is; without it damage
   * is thrown. What is asked for by its line is never left out.
   */
  readonly onDamage?: OnDamage | undefined;
  /** What people call the file; its path where absent. */
  readonly name?: string;
}

/**
 * Opens the record file of an earlier run for reading, also while another process writes it.
 *
 * @throws RunFileError when `path` is no record file, was written by a newer release or is damaged
 */
export function openSqliteRunReader(path: string, { onDamage, name = path }: ReadOptions = {}): RunReader {
  return orRunFileError('read', name, () => {
    const database = openForReading(requireFile(path, name));
    return orClosed(database, () => {
      requireFormat(database, name);
      requireLog(database, path, { onDamage, name });
      const info = readInfo(database, name);
      const reader = new RunFileReader(database, name, { onDamage });
      return readerOver(
        { info, name, onDamage },
        reader,
        () => {},
        () => database.close(),
      );
    });
  });
}

/**
 * Opens the record file of an earlier run to add to it. Where its log lost what was recorded last, that is told, and can be
 * recorded again; nothing is added to a file that is damaged otherwise.
 *
 * @throws RunFileError when `path` is no record file, was written by a newer release, is damaged or cannot be written
 */
export function continueSqliteRunLog(path: string, options: WriteOptions & ReadOptions = {}): RunLog {
  return orRunFileError('write', path, () => {
    const database = openForWriting(requireFile(path), options);
    return orClosed(database, () => {
      requireFormat(database, path);
      requireLog(database, path, options);
      requireSound(database, path);
      inTransaction(database, () => closeLeftSegments(database, path));
      return writingStore(path, database, readInfo(database, path), options);
    });
  });
}

function writingStore(path: string, database: DatabaseSync, info: RunInfo, options: WriteOptions): RunLog {
  const reader = new RunFileReader(database, path, { isTrusted: true });
  const writer = new RunFileWriter(path, database, reader.nextLine(), options);
  // What is read is what was appended: a group that waits for its commit is committed first.
  const read = readerOver(
    { info, name: path, onDamage: undefined },
    reader,
    () => writer.commit(),
    () => {
      writer.close();
      shut(database);
    },
  );
  return {
    ...read,
    append: (nodes, row) => orRejected(() => writer.append(nodes, row)),
    appendMetrics: (metrics) => orRejected(() => writer.appendMetrics(metrics)),
    reopen: async (rows) => writer.reopen(rows, info),
    ensureKept: async () => writer.ensureKept(),
  };
}

interface ReaderOf {
  readonly info: RunInfo;
  /** What people call the file. */
  readonly name: string;
  readonly onDamage: OnDamage | undefined;
}

/** Rows that are in memory together where their values are. */
const fewRows = 32;
const manyRows = 1024;

/** @param before called before anything is read */
function readerOver(
  { info, name, onDamage }: ReaderOf,
  reader: RunFileReader,
  before: () => void,
  close: () => void,
): RunReader {
  const read = async <T>(look: (reader: RunFileReader) => T): Promise<T> => {
    before();
    return orRunFileError('read', name, () => look(reader));
  };
  const readAll = <T>(look: (reader: RunFileReader) => Iterable<T>, size: number): Batches<T> => {
    const all = function* (): Generator<T> {
      before();
      yield* upToDamage(name, () => look(reader), onDamage);
    };
    return batchesOf(all(), size, () => reader.bytesRead);
  };
  let isClosed = false;
  return {
    info,
    nodes: (line, repeat = 0) => read((file) => file.nodes(line, repeat)),
    row: (line, repeat = 0) => read((file) => file.row(line, repeat)),
    rows: () => readAll((file) => file.rows(), fewRows),
    records: () => readAll((file) => file.records(), fewRows),
    rowEnds: () => readAll((file) => file.rowEnds(), manyRows),
    readRows: (wanted) => readAll((file) => file.readRows(wanted), fewRows),
    digests: () => readAll((file) => file.digests(), manyRows),
    rowCounts: () => read((file) => file.rowCounts()),
    unfinishedCount: () => read((file) => file.unfinishedCount()),
    nodeCounts: () => read((file) => file.nodeCounts()),
    tokens: () => read((file) => file.tokens()),
    nextLine: () => read((file) => file.nextLine()),
    metrics: () => read((file) => file.metrics()),
    async [Symbol.asyncDispose]() {
      if (isClosed) return;
      isClosed = true;
      close();
    },
  };
}

/** Pages of the file that cannot be read end what is read: what comes after them is left out as well, and told. */
function* upToDamage<T>(name: string, read: () => Iterable<T>, onDamage: OnDamage | undefined): Generator<T> {
  try {
    yield* read();
  } catch (error) {
    const failure = runFileError('read', name, error);
    if (onDamage === undefined || !(failure instanceof RunDamageError)) throw failure;
    onDamage(failure);
  }
}

function requireLog(database: DatabaseSync, path: string, { onDamage = raiseDamage, name = path }: ReadOptions): void {
  const isInUse = (): boolean => database.prepare('PRAGMA journal_mode').get()?.['journal_mode'] === 'wal';
  if (!isLogDamaged(path, isInUse)) return;
  onDamage({ message: `the log of the run record ${name} is damaged: what was recorded last may be missing` });
}

function readInfo(database: DatabaseSync, path: string): RunInfo {
  const missing = missingRecords(database, 'meta');
  if (missing !== undefined) throw new RunDamageError({ message: missingText(path, 'meta', missing) });
  const found = database.prepare("SELECT value, checksum FROM meta WHERE key = 'info'").get();
  const text = String(found?.['value']);
  if (found !== undefined && found['checksum'] === entryChecksum('meta', 'info', text)) {
    const info = parseOwnJson(text) as unknown as RunInfo;
    const nodeReads = readKeptReads(database, path);
    return Object.keys(nodeReads).length === 0 ? info : { ...info, nodeReads };
  }
  throw new RunDamageError({ message: `the run record ${path} is damaged: what the run was cannot be read` });
}

/** The writer's promise as it is: one for all that wait for the same commit. */
function orRejected(append: () => Promise<void>): Promise<void> {
  try {
    return append();
  } catch (error) {
    return Promise.reject(error);
  }
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
