import type { DatabaseSync } from 'node:sqlite';
import { readRowDigests, rowNumber } from './row-digests.ts';
import { firstWithRowDigests, versionOf } from './run-file-schema.ts';
import type { RecordDigest } from './run-store.ts';
import { statusOf } from './status-number.ts';

type RecordColumns = Pick<RecordDigest, 'line' | 'repeat' | 'node'> & {
  readonly id: number;
  readonly status: number;
  /** Null where there is none. */
  readonly fingerprint: string | null;
};

export type ReadRecordDigests = (
  line: number,
  repeat: number,
) => ReadonlyMap<number, Pick<RecordDigest, 'outputHash' | 'inputsHash'>>;

/**
 * Digests of every record in order of line, repeat and then of appending.
 *
 * @param digestsOf works out the digests of a row's nodes, by id, from what they hold: rows that have not ended yet keep none
 */
export function* readDigests(database: DatabaseSync, digestsOf: ReadRecordDigests): Generator<RecordDigest> {
  if (versionOf(database) < firstWithRowDigests) {
    yield* readSeparateDigests(database);
    return;
  }
  const select = database.prepare('SELECT hex(digests) AS digits FROM row_digests WHERE row = ?');
  const records = database
    .prepare(
      `SELECT line, repeat, node AS id, nodes.name AS node, status, lower(hex(fingerprint)) AS fingerprint
       FROM node_ends JOIN nodes ON nodes.id = node_ends.node ORDER BY line, repeat, place`,
    )
    .iterate() as Iterable<unknown> as Iterable<RecordColumns>;
  let row = -1;
  let digests: ReturnType<ReadRecordDigests> = new Map();
  for (const { line, repeat, id, node, status, fingerprint } of records) {
    if (row !== rowNumber(line, repeat)) {
      row = rowNumber(line, repeat);
      const found = select.get(row) as { readonly digits: string } | undefined;
      digests = found === undefined ? digestsOf(line, repeat) : readRowDigests(found.digits);
    }
    const own = digests.get(id);
    if (own === undefined) throw new Error(`bug: row ${line} has no digests of ${node}`);
    const { outputHash, inputsHash } = own;
    yield { line, repeat, node, status: statusOf(status), outputHash, inputsHash, ...fingerprintOf(fingerprint) };
  }
}

/** Of a file of format 4, which keeps them with each record. */
function* readSeparateDigests(database: DatabaseSync): Generator<RecordDigest> {
  const records = database
    .prepare(
      `SELECT line, repeat, nodes.name AS node, status, lower(hex(output_hash)) AS outputHash,
         lower(hex(inputs_hash)) AS inputsHash, lower(hex(fingerprint)) AS fingerprint
       FROM node_ends JOIN nodes ON nodes.id = node_ends.node ORDER BY line, repeat, place`,
    )
    .iterate() as Iterable<unknown> as Iterable<Omit<RecordDigest, 'status'> & { readonly status: number }>;
  for (const { fingerprint = '', status, ...digest } of records) {
    yield { ...digest, status: statusOf(status), ...fingerprintOf(fingerprint) };
  }
}

/** Hexadecimal digits of no bytes are no digits. */
function fingerprintOf(digits: string | null): Pick<RecordDigest, 'fingerprint'> {
  return digits === '' || digits === null ? {} : { fingerprint: digits };
}
