import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import type { RowRun } from './node-run.ts';
import type { KeyedRow, RunComparison } from './run-comparison.ts';

/** Tables like `row_digests`, one of either run. */
export interface DigestTables {
  readonly left: string;
  readonly right: string;
}

export interface RowKeys {
  readonly left: Iterable<KeyedRow>;
  readonly right: Iterable<KeyedRow>;
}

/** SQL for the digest of what went into a row. */
const inputsSql = (alias: string): string => `substr(${alias}.digests, 2, 16)`;

/** SQL for the rows of one run that have no partner in `temp.pairs` yet. */
function unpairedSql(tables: DigestTables, side: 'left' | 'right', selected: string): string {
  return `SELECT ${selected} FROM ${tables[side]} d
    WHERE NOT EXISTS (SELECT 1 FROM temp.pairs WHERE ${side}_row = d.row)`;
}

/** `temp.pairs`: numbers of rows that belong together. */
function createPairs(database: DatabaseSync): void {
  database.exec('CREATE TEMP TABLE pairs (left_row INTEGER PRIMARY KEY, right_row INTEGER NOT NULL) STRICT');
}

/** Fills `temp.pairs` with rows of the same key. */
export function pairByKey(database: DatabaseSync, tables: DigestTables, keys: RowKeys): RunComparison['pairedBy'] {
  createPairs(database);
  for (const side of ['left', 'right'] as const) {
    database.exec(`CREATE TEMP TABLE ${side}_keys (key TEXT NOT NULL, repeat INTEGER NOT NULL, row INTEGER NOT NULL,
      PRIMARY KEY (key, repeat)) STRICT, WITHOUT ROWID`);
    const add = database.prepare(`INSERT INTO ${side}_keys (key, repeat, row) VALUES (?1, ?2, ?3 * 1048576 + ?2)`);
    for (const { key, repeat, line } of keys[side]) add.run(key, repeat, line);
  }
  database.exec(`INSERT INTO temp.pairs
    SELECT a.row, b.row FROM temp.left_keys a JOIN temp.right_keys b USING (key, repeat)
    JOIN ${tables.left} l ON l.row = a.row JOIN ${tables.right} r ON r.row = b.row ORDER BY a.row;
    CREATE UNIQUE INDEX temp.pairs_right ON pairs (right_row)`);
  return 'key';
}

/**
 * Fills `temp.pairs`: rows of one place that got the same, then rows of any place that got the same, in order, then what
 * is left by its place.
 */
export function pairByContent(database: DatabaseSync, tables: DigestTables): RunComparison['pairedBy'] {
  createPairs(database);
  const { left, right } = tables;
  const samePlace = `INSERT INTO temp.pairs SELECT l.row, r.row FROM`;
  database.exec(`${samePlace} ${left} l JOIN ${right} r ON r.row = l.row WHERE ${inputsSql('l')} = ${inputsSql('r')};
    CREATE UNIQUE INDEX temp.pairs_right ON pairs (right_row)`);
  const moved = pairMoved(database, tables);
  database.exec(`${samePlace} (${unpairedSql(tables, 'left', 'row')}) l
    JOIN (${unpairedSql(tables, 'right', 'row')}) r ON r.row = l.row`);
  return moved > 0 ? 'content' : 'line';
}

/** Rows of one repetition that got the same, the first of one run with the first of the other. @returns how many it paired */
function pairMoved(database: DatabaseSync, tables: DigestTables): number {
  const rowsOf = (side: 'left' | 'right'): string => {
    const got = `${inputsSql('d')} AS got, row & 1048575 AS repeat`;
    const place = `row_number() OVER (PARTITION BY ${inputsSql('d')}, row & 1048575 ORDER BY row) AS place`;
    return unpairedSql(tables, side, `row, ${got}, ${place}`);
  };
  const paired = database.prepare(`INSERT INTO temp.pairs
    SELECT l.row, r.row FROM (${rowsOf('left')}) l JOIN (${rowsOf('right')}) r USING (got, repeat, place)`);
  return Number(paired.run().changes);
}

/** Numbers of the first rows that only one run has. */
export function unpairedRows(
  database: DatabaseSync,
  tables: DigestTables,
  { side, limit, isInPlace }: { readonly side: 'left' | 'right'; readonly limit: number; readonly isInPlace: boolean },
): readonly number[] {
  const other = tables[side === 'left' ? 'right' : 'left'];
  const sql = isInPlace
    ? `SELECT row FROM ${tables[side]} d WHERE NOT EXISTS (SELECT 1 FROM ${other} o WHERE o.row = d.row)`
    : unpairedSql(tables, side, 'row');
  return database
    .prepare(`${sql} ORDER BY row LIMIT ?`)
    .all(limit)
    .map(({ row }) => Number(row));
}

/** Names of the inputs that differ. */
export function differingInputs(left: RowRun, right: RowRun): readonly string[] {
  const [one, other] = [left.inputs, right.inputs];
  const names = [...new Set([...Object.keys(other), ...Object.keys(one)])];
  return names.filter((name) => !isDeepStrictEqual(one[name], other[name]));
}
