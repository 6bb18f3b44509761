import { crc32 } from 'node:zlib';

/**
 * Checksums of what is in a record file: CRC-32 (zlib's) over the columns of a row, its table's number first, so that a row
 * that has changed, or that stands in another table, is not taken for what was recorded. They guard against damage, not
 * against somebody who writes what he likes.
 */
const tables = { node_ends: 1, row_ends: 2, row_digests: 3, segments: 4, journal: 5, meta: 6, nodes: 7, metrics: 8 };

type TableName = keyof typeof tables;

/** As SQLite gives it, and before it is known to be what was written. */
type Column = number | null;

/** Stands for null, as which SQLite keeps NaN too; no duration, time or count is that. */
const nullNumber = -Number.MAX_VALUE;

const maxNumbers = 10;
const numbers = new Float64Array(1 + maxNumbers);
const bytesOfNumbers = Buffer.from(numbers.buffer);

function checksumOfNumbers(table: TableName, count: number): number {
  numbers[0] = tables[table];
  return crc32(bytesOfNumbers.subarray(0, (1 + count) * 8));
}

/** In a damaged file an empty blob may stand where 0 did. */
function put(at: number, column: Column): void {
  if (column === null || Number.isNaN(column)) numbers[at] = nullNumber;
  // To add 0 makes of -0, which SQLite does not keep, what it keeps.
  else numbers[at] = typeof column === 'number' ? column + 0 : Number.NaN;
}

/** Of a row of these tables, whose columns are numbers. @param count how many of them are summed up: all but a checksum */
export function endChecksum(
  table: 'node_ends' | 'row_ends',
  columns: readonly Column[],
  count = columns.length,
): number {
  for (let at = 0; at < count; at += 1) put(at + 1, columns[at] as Column);
  return checksumOfNumbers(table, count);
}

/**
 * Without the row's number, so that equal digests of two runs have equal checksums; numbers are looked after by the sum over
 * them (`table-totals.ts`).
 *
 * @param digits hexadecimal, lower case, as `printRowDigests` gives them
 */
export function rowDigestsChecksum(digits: string): number {
  return crc32(digits, checksumOfNumbers('row_digests', 0));
}

/** @param bytes as they are stored, compressed */
export function segmentChecksum(id: number, bytes: Uint8Array): number {
  put(1, id);
  return crc32(bytes, checksumOfNumbers('segments', 1));
}

export function journalChecksum(segment: number, start: number, bytes: Uint8Array): number {
  put(1, segment);
  put(2, start);
  return crc32(bytes, checksumOfNumbers('journal', 2));
}

export function nodeNameChecksum(id: number, name: string, kind: string): number {
  put(1, id);
  return crc32(`${name}\0${kind}`, checksumOfNumbers('nodes', 1));
}

/** Of a key and its value, which is JSON. */
export function entryChecksum(table: 'meta' | 'metrics', key: string, value: string): number {
  return crc32(`${key}\0${value}`, checksumOfNumbers(table, 0));
}
