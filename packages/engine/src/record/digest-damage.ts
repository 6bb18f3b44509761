import type { DatabaseSync } from 'node:sqlite';
import { rowDigestsChecksum } from './checksums.ts';
import { missingText, raiseDamage } from './read-damage.ts';
import { rowOfNumber } from './row-digests.ts';
import { type OnDamage, RunDamageError } from './run-file-error.ts';
import { prepareLists, recordDamaged, rowDamage } from './stored-ends.ts';
import { missingRecords } from './table-totals.ts';

/** Rows of one file whose digests are not what was written; each is told once. */
export class DigestDamage {
  private readonly database: DatabaseSync;
  private readonly path: string;
  private readonly onDamage: OnDamage;
  private readonly schemaName: string;
  private readonly damaged = new Set<number>();

  /** Tells at once of records that are missing. */
  constructor(database: DatabaseSync, path: string, schemaName: 'main' | 'other', onDamage: OnDamage = raiseDamage) {
    this.database = database;
    this.path = path;
    this.schemaName = schemaName;
    this.onDamage = onDamage;
    for (const table of ['nodes', 'row_digests'] as const) {
      const missing = missingRecords(database, table, schemaName);
      if (missing !== undefined) onDamage({ message: missingText(path, table, missing) });
    }
  }

  /** Whether the digests of a row are what was written; tells of it where they are not. */
  isSound(row: number, digits: string, checksum: number): boolean {
    if (checksum === rowDigestsChecksum(digits)) return true;
    if (!this.damaged.has(row)) this.onDamage(rowDamage(this.path, rowOfNumber(row), recordDamaged));
    this.damaged.add(row);
    return false;
  }

  /** What is read of the file, undefined where it is damaged. */
  async orReported<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof RunDamageError)) throw error;
      this.onDamage(error);
      return undefined;
    }
  }

  /** Looks at the digests of all rows: of those without a partner nothing else is read. */
  lookAtAll(): void {
    const select = `SELECT row, lower(hex(digests)), checksum FROM ${this.schemaName}.row_digests`;
    const rows = prepareLists(this.database, select).iterate() as Iterable<unknown>;
    for (const columns of rows as Iterable<readonly [number, string, number]>) this.isSound(...columns);
  }
}
