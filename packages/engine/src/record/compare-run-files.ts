import type { DatabaseSync } from 'node:sqlite';
import { inPresentFormat, type RunFile } from './in-present-format.ts';
import { pairRows, unpairedSql } from './pair-rows.ts';
import { nodeCodeSql, nodePair, readPattern, type WrittenPattern } from './pattern-code.ts';
import { recordDigest } from './record-digest.ts';
import type {
  KeyedRow,
  NodeAlignment,
  NodePair,
  RowId,
  RowPairId,
  RowPattern,
  RunComparison,
} from './run-comparison.ts';
import type { RunStore } from './run-store.ts';
import { openForReading } from './sqlite-driver.ts';

export interface CompareRunFilesOptions {
  /** The nodes to compare, in the order in which they are told. */
  readonly aligned: readonly NodeAlignment[];
  /** What every row is known by, each key once a repetition; without them rows are paired by what went into them, then by line. */
  readonly keys?: { readonly left: Iterable<KeyedRow>; readonly right: Iterable<KeyedRow> } | undefined;
}

/** Compares two record files by their digests alone, in SQL: what is held in memory does not grow with the rows. */
export function compareRunFiles(
  left: RunFile,
  right: RunFile,
  { aligned, keys }: CompareRunFilesOptions,
): RunComparison {
  const [one, other] = [inPresentFormat(left), inPresentFormat(right)];
  const database = openForReading(one.path);
  database.prepare('ATTACH ? AS other').run(other.path);
  const paired = pairRows(database, { left: left.store, right: right.store, keys });
  const aggregation = aggregationPairs(aligned, left.store, right.store);
  writeNodes(database, aligned, new Set(aggregation.map(({ node }) => node)));
  const [leftRows, rightRows] = [countRows(database, 'main.row_ends'), countRows(database, 'other.row_ends')];
  writeCodes(database, {
    isInPlace: paired.isInPlace,
    isWhole: leftRows === paired.count && rightRows === paired.count,
  });
  return {
    pairedBy: paired.by,
    left: leftRows,
    right: rightRows,
    onlyLeft: leftRows - paired.count,
    onlyRight: rightRows - paired.count,
    patterns: readPatterns(database, aligned.map(nameOf)),
    aggregation,
    pairs: (patterns, limit) => readPairs(database, patterns, limit),
    unpaired: (side, limit) => readUnpaired(database, side, limit),
    [Symbol.dispose]: () => {
      database.close();
      one.dispose();
      other.dispose();
    },
  };
}

function nameOf({ left, right }: NodeAlignment): string {
  return right ?? left ?? '';
}

function countRows(database: DatabaseSync, table: string): number {
  return (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
}

/** `temp.nodes`: a node's number in either file, and its place in the list. */
function writeNodes(database: DatabaseSync, aligned: readonly NodeAlignment[], leftOut: ReadonlySet<string>): void {
  database.exec(
    'CREATE TEMP TABLE nodes (place INTEGER NOT NULL, left_id INTEGER UNIQUE, right_id INTEGER UNIQUE) STRICT',
  );
  const add = database.prepare(`INSERT INTO temp.nodes (place, left_id, right_id) VALUES
    (?, (SELECT id FROM main.nodes WHERE name = ?), (SELECT id FROM other.nodes WHERE name = ?))`);
  for (const [place, pair] of aligned.entries()) {
    if (!leftOut.has(nameOf(pair))) add.run(place, pair.left ?? null, pair.right ?? null);
  }
}

/** `temp.codes`: of every pair of rows in which nodes differ, how. */
function writeCodes(
  database: DatabaseSync,
  { isInPlace, isWhole }: { readonly isInPlace: boolean; readonly isWhole: boolean },
): void {
  database.exec(`CREATE TEMP TABLE codes (
    left_line INTEGER NOT NULL, left_repeat INTEGER NOT NULL, missing INTEGER NOT NULL, codes TEXT NOT NULL,
    PRIMARY KEY (left_line, left_repeat)) STRICT, WITHOUT ROWID`);
  database.exec(`INSERT INTO temp.codes
    SELECT l.line, l.repeat, sum(r.line IS NULL), group_concat(${nodeCodeSql('n.place', 'l', 'r')})
    FROM ${joinedRecords(database, isInPlace)}
    WHERE r.output_hash IS NOT l.output_hash OR r.status IS NOT l.status
    GROUP BY l.line, l.repeat`);
  const { n: missing } = database.prepare('SELECT total(missing) AS n FROM temp.codes').get() as { n: number };
  const counts = [countRows(database, 'main.node_ends'), countRows(database, 'other.node_ends')];
  if (!isWhole || missing > 0 || counts[0] !== counts[1]) addRightOnly(database);
}

/**
 * Records `l` of the left run with those `r` of the right one and their nodes `n`. Where every row is at its own place, the
 * pairs need not be looked up; where both files number their nodes alike, the list of nodes only for records that differ.
 */
function joinedRecords(database: DatabaseSync, isInPlace: boolean): string {
  const [left, line, repeat] = isInPlace
    ? ['main.node_ends l', 'l.line', 'l.repeat']
    : [
        'temp.pairs p CROSS JOIN main.node_ends l ON l.line = p.left_line AND l.repeat = p.left_repeat',
        'p.right_line',
        'p.right_repeat',
      ];
  const right = `LEFT JOIN other.node_ends r ON r.line = ${line} AND r.repeat = ${repeat} AND r.node =`;
  const listed = 'CROSS JOIN temp.nodes n ON n.left_id = l.node';
  const { n } = database.prepare('SELECT count(*) AS n FROM temp.nodes WHERE left_id IS NOT right_id').get() as {
    n: number;
  };
  return `${left} ${n === 0 ? `${right} l.node ${listed}` : `${listed} ${right} n.right_id`}`;
}

/** Records of the right run that the join from the left does not meet; looked for only where counts do not rule them out. */
function addRightOnly(database: DatabaseSync): void {
  database.exec(`INSERT INTO temp.codes
    SELECT p.left_line, p.left_repeat, 0, group_concat(${nodeCodeSql('n.place', 'l', 'r')}) FROM temp.pairs p
    CROSS JOIN other.node_ends r ON r.line = p.right_line AND r.repeat = p.right_repeat
    CROSS JOIN temp.nodes n ON n.right_id = r.node
    LEFT JOIN main.node_ends l ON l.line = p.left_line AND l.repeat = p.left_repeat AND l.node = n.left_id
    WHERE l.line IS NULL GROUP BY p.left_line, p.left_repeat
    ON CONFLICT DO UPDATE SET codes = codes || ',' || excluded.codes`);
}

/** `temp.patterns`: what pairs of rows have in common and how many they are, numbered by their first row in the left run. */
function readPatterns(database: DatabaseSync, names: readonly string[]): readonly RowPattern[] {
  database.exec(`CREATE TEMP TABLE patterns AS
    SELECT row_number() OVER (ORDER BY first) AS id, rows, code, inputs, codes FROM (
      SELECT min(p.left_line * 1048576 + p.left_repeat) AS first, count(*) AS rows, p.code, p.inputs,
        coalesce(c.codes, '') AS codes
      FROM temp.pairs p LEFT JOIN temp.codes c USING (left_line, left_repeat) GROUP BY p.code, p.inputs, c.codes)`);
  const rows = database
    .prepare('SELECT * FROM temp.patterns ORDER BY id')
    .all() as unknown as readonly WrittenPattern[];
  return rows.map((row) => readPattern(row, names));
}

function readPairs(database: DatabaseSync, patterns: readonly number[], limit: number): readonly RowPairId[] {
  const rows = database
    .prepare(
      `SELECT t.id, p.left_line, p.left_repeat, p.right_line, p.right_repeat
       FROM temp.pairs p LEFT JOIN temp.codes c USING (left_line, left_repeat)
       CROSS JOIN temp.patterns t ON t.code = p.code AND t.inputs = p.inputs AND t.codes = coalesce(c.codes, '')
       WHERE t.id IN (SELECT value FROM json_each(?)) ORDER BY p.left_line, p.left_repeat LIMIT ?`,
    )
    .all(JSON.stringify(patterns), limit) as Record<string, number>[];
  return rows.map((row) => ({
    pattern: row['id'] ?? 0,
    left: { line: row['left_line'] ?? 0, repeat: row['left_repeat'] ?? 0 },
    right: { line: row['right_line'] ?? 0, repeat: row['right_repeat'] ?? 0 },
  }));
}

function readUnpaired(database: DatabaseSync, side: 'left' | 'right', limit: number): readonly RowId[] {
  const sql = `${unpairedSql(side, 'line, repeat')} ORDER BY line, repeat LIMIT ?`;
  return database.prepare(sql).all(limit) as unknown as readonly RowId[];
}

/** Nodes that run once over all rows keep their records with the first line. */
function aggregationPairs(aligned: readonly NodeAlignment[], left: RunStore, right: RunStore): readonly NodePair[] {
  const isOverRows = ({ info }: RunStore, name: string | undefined): boolean =>
    info.nodes.some((node) => node.name === name && node.aggregation === true);
  const recordsOf = (store: RunStore) => new Map(store.nodes(0).map((run) => [run.node, recordDigest(run)]));
  const found = aligned.filter((pair) => isOverRows(left, pair.left) || isOverRows(right, pair.right));
  const [lefts, rights] = found.length === 0 ? [] : [recordsOf(left), recordsOf(right)];
  return found.map((pair) => {
    const [one, other] = [lefts?.get(pair.left ?? ''), rights?.get(pair.right ?? '')];
    const fingerprints = [one?.fingerprint, other?.fingerprint];
    return nodePair(nameOf(pair), {
      left: one?.status,
      right: other?.status,
      outputDiffers: one?.outputHash !== other?.outputHash,
      inputsDiffer: one?.inputsHash !== other?.inputsHash,
      fingerprintDiffers: fingerprints.includes(undefined) ? undefined : one?.fingerprint !== other?.fingerprint,
    });
  });
}
