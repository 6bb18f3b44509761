import { rowDigestsChecksum } from './checksums.ts';
import type { NodeRun } from './node-run.ts';
import { recordDigest } from './record-digest.ts';
import { type NodeDigests, readRowDigests, rowNumber } from './row-digests.ts';
import type { RowId } from './run-comparison.ts';
import { RunDamageError } from './run-file-error.ts';
import type { RecordDigest } from './run-reader.ts';
import { statusOf } from './status-number.ts';
import {
  isNodeEndSound,
  type NodeEndColumns,
  nodeEndColumns,
  prepareLists,
  type RecordSource,
  recordDamaged,
  rowDamage,
} from './stored-ends.ts';

/**
 * Digests of every record in order of line, repeat and then of appending.
 *
 * @param recordsOf gives the records of a row, of which digests are worked out: rows that have not ended yet keep none
 */
export function* readDigests(
  source: RecordSource,
  recordsOf: (row: RowId) => readonly NodeRun[],
): Generator<RecordDigest> {
  const { database } = source;
  const select = prepareLists(database, 'SELECT lower(hex(digests)), checksum FROM row_digests WHERE row = ?');
  const digestsOf = ({ line, repeat }: RowId): ReadonlyMap<number, Digests> => {
    const row = rowNumber(line, repeat);
    const found = select.get(row) as unknown as readonly [digits: string, checksum: number] | undefined;
    // Where some are missing, others may stand under the number of another row.
    const isOwn = !source.damagedTables.has('row_digests');
    if (found === undefined || !isOwn) return byId(source, recordsOf({ line, repeat }));
    if (found[1] !== rowDigestsChecksum(found[0])) throw rowDamage(source.path, { line, repeat }, recordDamaged);
    return readRowDigests(found[0]);
  };
  for (const records of recordGroups(source)) {
    try {
      yield* digestsOfRow(source, records, digestsOf);
    } catch (error) {
      if (!(error instanceof RunDamageError)) throw error;
      source.onDamage(error);
    }
  }
}

type Digests = Pick<NodeDigests, 'outputHash' | 'inputsHash' | 'fingerprint'>;

function byId({ names }: RecordSource, records: readonly NodeRun[]): ReadonlyMap<number, Digests> {
  const ids = new Map([...names.all()].map(([id, { name, kind }]) => [`${name}\n${kind}`, id]));
  return new Map(records.map((run) => [ids.get(`${run.node}\n${run.kind}`) ?? -1, recordDigest(run)]));
}

function digestsOfRow(
  { path, names }: RecordSource,
  records: readonly NodeEndColumns[],
  digestsOf: (row: RowId) => ReadonlyMap<number, Digests>,
): readonly RecordDigest[] {
  const [[line, repeat]] = records as [NodeEndColumns];
  if (!records.every(isNodeEndSound)) throw rowDamage(path, { line, repeat }, recordDamaged);
  const digests = digestsOf({ line, repeat });
  return records.map(([, , id, status]) => {
    const own = digests.get(id);
    if (own === undefined) throw rowDamage(path, { line, repeat }, recordDamaged);
    const { outputHash, inputsHash, fingerprint } = own;
    const known = fingerprint == null ? {} : { fingerprint };
    return { line, repeat, node: names.of(id).name, status: statusOf(status), outputHash, inputsHash, ...known };
  });
}

/** Records of one row after the other. */
function* recordGroups({ database }: RecordSource): Generator<readonly NodeEndColumns[]> {
  const records = prepareLists(database, `SELECT ${nodeEndColumns} FROM node_ends ORDER BY line, repeat, place`);
  let group: NodeEndColumns[] = [];
  for (const columns of records.iterate() as Iterable<unknown> as Iterable<NodeEndColumns>) {
    const [first] = group;
    if (first !== undefined && (first[0] !== columns[0] || first[1] !== columns[1])) {
      yield group;
      group = [];
    }
    group.push(columns);
  }
  if (group.length > 0) yield group;
}
