import type { DatabaseSync } from 'node:sqlite';
import { rowDigestsChecksum } from './checksums.ts';
import type { NodeRun } from './node-run.ts';
import { recordDigest, rowDigest } from './record-digest.ts';
import { rowOfNumber, stringifyNodeDigests, stringifyRowDigests } from './row-digests.ts';
import { RunFileReader } from './run-file-reader.ts';
import { statusNumber } from './status-number.ts';

/** Digests of a row as they were worked out from its records. */
export interface RenewedDigests {
  readonly number: number;
  readonly digits: string;
  readonly checksum: number;
}

/**
 * Works out digests of rows from their records, inside a transaction whose payloads are in the file.
 *
 * @param numbers of rows, as `rowNumber` gives them; those that have not ended are left out
 */
export function* renewedDigests(
  database: DatabaseSync,
  path: string,
  numbers: Iterable<number>,
  idOf: (run: NodeRun) => number,
): Generator<RenewedDigests> {
  const reader = new RunFileReader(database, path, { isTrusted: true });
  for (const number of numbers) {
    const { line, repeat } = rowOfNumber(number);
    const row = reader.row(line, repeat);
    if (row === undefined) continue;
    const head = { status: statusNumber(row.status), ...rowDigest(row) };
    const nodes = reader.nodes(line, repeat).map((run) => {
      const id = idOf(run);
      return [id, stringifyNodeDigests(id, { ...recordDigest(run), status: statusNumber(run.status) })] as const;
    });
    const digits = stringifyRowDigests(head, new Map(nodes));
    yield { number, digits, checksum: rowDigestsChecksum(digits) };
  }
}
