import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { rowDigestsChecksum } from './checksums.ts';
import { readRowDigests, rowNumber } from './row-digests.ts';
import type { RowId } from './run-comparison.ts';

/**
 * Which nodes a row that ended has records of: its digests say so. Asked once records of a file are known to be missing, so
 * that no row is read without one that it had.
 */
export class ExpectedNodes {
  private readonly database: DatabaseSync;
  private select: StatementSync | undefined;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** From now on rows are looked at. */
  expect(): void {
    this.select ??= this.database.prepare(
      'SELECT lower(hex(digests)) AS digits, checksum FROM row_digests WHERE row = ?',
    );
  }

  /**
   * @param found ids of the nodes whose records were found
   * @param among ids of the nodes that were looked for; all where it is left out
   */
  areFound({ line, repeat }: RowId, found: readonly number[], among?: ReadonlySet<number>): boolean {
    if (this.select === undefined) return true;
    const digests = this.select.get(rowNumber(line, repeat)) as
      | { readonly digits: string; readonly checksum: number }
      | undefined;
    if (digests === undefined || digests.checksum !== rowDigestsChecksum(digests.digits)) return false;
    const expected = [...readRowDigests(digests.digits).keys()].filter((id) => among?.has(id) ?? true);
    return expected.length === found.length && expected.every((id) => found.includes(id));
  }
}
