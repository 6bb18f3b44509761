import { expect, test } from 'vitest';
import {
  endChecksum,
  entryChecksum,
  journalChecksum,
  nodeNameChecksum,
  rowDigestsChecksum,
  segmentChecksum,
} from './checksums.ts';

const node = [1, 2, 3, 4, 5.5, 6.5, 7, 8, 9, 10];
const row = [1, 2, 3, 4.5, 5.5, 6, 7, 8];
const checksumIn =
  (table: 'node_ends' | 'row_ends') =>
  (...columns: readonly unknown[]): number =>
    endChecksum(table, columns as readonly number[]);
const nodeOf = checksumIn('node_ends');
const rowOf = checksumIn('row_ends');

const bytes = Buffer.from('bytes');
const others: readonly (readonly [what: string, checksum: number])[] = [
  ['of a node', nodeOf(...node)],
  ['of a row', rowOf(...row)],
  ['of a row with the numbers of a node', rowOf(...node.slice(0, 8))],
  ['of digests', rowDigestsChecksum('00')],
  ['of other digests', rowDigestsChecksum('01')],
  ['of a segment', segmentChecksum(1, bytes)],
  ['of another segment', segmentChecksum(2, bytes)],
  ['of a segment with other bytes', segmentChecksum(1, Buffer.from('Bytes'))],
  ['of a part of the journal', journalChecksum(1, 0, bytes)],
  ['of a part of another segment', journalChecksum(2, 0, bytes)],
  ['of a part further on', journalChecksum(1, 5, bytes)],
  ['of a part with other bytes', journalChecksum(1, 0, Buffer.from('Bytes'))],
  ['of a name', nodeNameChecksum(1, 'a', 'llm')],
  ['of the same name with another id', nodeNameChecksum(2, 'a', 'llm')],
  ['of another name', nodeNameChecksum(1, 'b', 'llm')],
  ['of another kind', nodeNameChecksum(1, 'a', 'python')],
  ['of a name that runs into its kind', nodeNameChecksum(1, 'al', 'lm')],
  ['of a metric', entryChecksum('metrics', 'a', '1')],
  ['of an entry on the run', entryChecksum('meta', 'a', '1')],
  ['of another key', entryChecksum('meta', 'b', '1')],
  ['of another value', entryChecksum('meta', 'a', '2')],
  ['of a key that runs into its value', entryChecksum('meta', 'a1', '')],
];

test('what is not the same, or stands in another table, has another checksum', () => {
  const byChecksum = new Map<number, string>();
  for (const [what, checksum] of others) {
    expect(byChecksum.get(checksum), what).toBeUndefined();
    byChecksum.set(checksum, what);
  }
});

test.for([
  ['a node', node, nodeOf],
  ['a row', row, rowOf],
] as const)(
  'a record of %s with another number, none, or no number in any column has another checksum',
  ([, columns, of]) => {
    const found = new Set([of(...columns)]);
    for (const at of columns.keys()) {
      for (const other of [0, -(columns[at] ?? 0), (columns[at] ?? 0) + 2 ** -20, null, new Uint8Array()]) {
        found.add(of(...columns.with(at, other as number)));
      }
    }
    expect(found.size).toBe(1 + columns.length * 5);
  },
);

test('what SQLite does not tell apart has the same checksum: minus zero and zero, no number and nothing', () => {
  const [, ...rest] = row;
  expect(rowOf(-0, ...rest)).toBe(rowOf(0, ...rest));
  expect(rowOf(Number.NaN, ...rest)).toBe(rowOf(null, ...rest));
});
