import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, utimesSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { constants, zstdCompressSync } from 'node:zlib';
import { type JsonValue, stringifyJson } from '../value/json.ts';
import { endChecksum, entryChecksum, nodeNameChecksum, rowDigestsChecksum, segmentChecksum } from './checksums.ts';
import { keptReadsKey } from './kept-reads.ts';
import { renewedDigests } from './renew-digests.ts';
import { readRowDigests, rowNumber } from './row-digests.ts';
import { runFileError } from './run-file-error.ts';
import { createTables } from './run-file-schema.ts';
import type { RunInfo } from './run-info.ts';
import { openForHead } from './sqlite-driver.ts';
import { countedTables, TableTotals } from './table-totals.ts';
import { nodeKey, prepareStatements, type StoredNodeEnd, type StoredRowEnd } from './write-statements.ts';

const segmentFactor = 2 ** 32;
const capacity = 128 * 1024;

/**
 * Makes a record file of records that another store kept in the same form. The file is there whole or not at all; one of the same
 * name is replaced.
 *
 * @throws RunFileError when it cannot be written, and whatever `fill` throws
 */
export async function copyIntoRunFile(
  path: string,
  info: RunInfo,
  fill: (copy: RunFileCopy) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    const database = openForHead(temporary);
    try {
      const copy = new RunFileCopy(database, { path, temporary }, info);
      await fill(copy);
      copy.finish();
    } finally {
      database.close();
    }
    const file = openSync(temporary, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(temporary, path);
  } catch (error) {
    throw isOfSqlite(error) ? runFileError('write', path, error) : error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function isOfSqlite(error: unknown): boolean {
  return (error as { readonly errcode?: unknown } | null)?.errcode !== undefined;
}

/** A record file that is filled: first with names of nodes and segments in their order, then with nodes, then with rows. */
export class RunFileCopy {
  private readonly database: DatabaseSync;
  /** As it is called once it is whole, which is what messages tell; and meanwhile. */
  private readonly file: { readonly path: string; readonly temporary: string };
  private readonly statements: ReturnType<typeof prepareStatements>;
  private readonly addBytes: StatementSync;
  private readonly findNodes: StatementSync;
  private readonly ids = new Map<string, number>();
  private readonly withoutDigests: number[] = [];
  private parts: Uint8Array[] = [];
  private used = 0;
  private segment = 1;

  constructor(database: DatabaseSync, file: { readonly path: string; readonly temporary: string }, info: RunInfo) {
    this.database = database;
    this.file = file;
    createTables(database);
    this.statements = prepareStatements(database);
    this.addBytes = database.prepare('INSERT INTO segments (id, bytes, checksum) VALUES (?, ?, ?)');
    this.findNodes = database.prepare('SELECT node FROM node_ends WHERE line = ? AND repeat = ?');
    this.findNodes.setReturnArrays(true);
    database.exec('BEGIN');
    const { nodeReads = {}, ...said } = info;
    this.addEntry('info', stringifyJson(said as unknown as JsonValue));
    for (const [node, parts] of Object.entries(nodeReads)) this.addEntry(keptReadsKey(node), JSON.stringify(parts));
  }

  /** Called now and then: files that nobody writes any more are cleared away. */
  isAlive(): void {
    const now = new Date();
    utimesSync(this.file.temporary, now, now);
  }

  addNodeName(id: number, name: string, kind: string): void {
    const add = this.database.prepare('INSERT INTO nodes (id, name, kind, checksum) VALUES (?, ?, ?, ?)');
    add.run(id, name, kind, nodeNameChecksum(id, name, kind));
    this.ids.set(nodeKey(name, kind), id);
  }

  /**
   * Small segments are gathered into larger ones.
   *
   * @param held what the segment holds; undefined where it is damaged, which it then is in the file too
   * @param compressed the same compressed with zstd
   * @returns the place of its first byte
   */
  addSegment(held: Uint8Array | undefined, compressed: Uint8Array): number {
    if (held === undefined) {
      this.closeSegment();
      return this.store(compressed, 1);
    }
    if (held.length >= capacity / 2) {
      this.closeSegment();
      return this.store(compressed);
    }
    if (this.used + held.length > capacity) this.closeSegment();
    const place = this.segment * segmentFactor + this.used;
    this.parts.push(held);
    this.used += held.length;
    return place;
  }

  addNodeEnd(end: StoredNodeEnd): void {
    this.statements.addNode.run(...end, endChecksum('node_ends', end));
  }

  /** @param digits of the row's digests; undefined, or not of all its nodes: they are worked out */
  addRowEnd(end: StoredRowEnd, digits: string | undefined): void {
    const [line, repeat] = end;
    this.statements.addRow.run(...end, endChecksum('row_ends', end));
    const number = rowNumber(line, repeat);
    const nodes = this.findNodes.all(line, repeat) as unknown as readonly (readonly [node: number])[];
    const known = digits === undefined ? undefined : readRowDigests(digits);
    if (digits === undefined || known?.size !== nodes.length || !nodes.every(([id]) => known.has(id))) {
      this.withoutDigests.push(number);
    } else this.statements.addDigests.run(number, digits, rowDigestsChecksum(digits));
  }

  /** @param text JSON as records have it */
  addMetric(name: string, text: string): void {
    this.statements.addMetric.run(name, text, entryChecksum('metrics', name, text));
  }

  /** Nothing comes after it. */
  finish(): void {
    this.closeSegment();
    const renewed = renewedDigests(this.database, this.file.path, this.withoutDigests, ({ node, kind }) => {
      return this.ids.get(nodeKey(node, kind)) ?? -1;
    });
    for (const { number, digits, checksum } of renewed) this.statements.addDigests.run(number, digits, checksum);
    const totals = new TableTotals(this.database);
    for (const table of countedTables) totals.countAnew(table);
    totals.keep();
    this.database.exec('COMMIT');
  }

  private addEntry(key: string, value: string): void {
    const add = this.database.prepare('INSERT INTO meta (key, value, checksum) VALUES (?, ?, ?)');
    add.run(key, value, entryChecksum('meta', key, value));
  }

  private closeSegment(): void {
    if (this.used === 0) return;
    const bytes = zstdCompressSync(Buffer.concat(this.parts), { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
    this.parts = [];
    this.used = 0;
    this.store(bytes);
  }

  /** @param off from the checksum: 0 for bytes that are what was written */
  private store(bytes: Uint8Array, off = 0): number {
    this.addBytes.run(this.segment, bytes, segmentChecksum(this.segment, bytes) + off);
    this.segment += 1;
    return (this.segment - 1) * segmentFactor;
  }
}
