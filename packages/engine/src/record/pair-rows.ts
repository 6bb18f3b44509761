import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { rowCodeSql } from './pattern-code.ts';
import type { KeyedRow, RunComparison } from './run-comparison.ts';
import type { RunStore } from './run-store.ts';

export interface PairRowsOptions {
  readonly left: RunStore;
  readonly right: RunStore;
  readonly keys?: { readonly left: Iterable<KeyedRow>; readonly right: Iterable<KeyedRow> } | undefined;
}

/**
 * Fills `temp.pairs` with the rows of `main` and `other` that belong together, how they ended (`rowCodeSql`), and the names
 * of the flow's inputs that differ in each: by key where there are keys; else rows of one place that got the same, then rows of any place that got
 * the same, in order, then what is left by its place.
 */
export function pairRows(
  database: DatabaseSync,
  { left, right, keys }: PairRowsOptions,
): {
  readonly by: RunComparison['pairedBy'];
  readonly count: number;
  /** Every row of the left run is paired with the one at its own place. */
  readonly isInPlace: boolean;
} {
  database.exec(`CREATE TEMP TABLE pairs (
    left_line INTEGER NOT NULL, left_repeat INTEGER NOT NULL, right_line INTEGER NOT NULL, right_repeat INTEGER NOT NULL,
    same INTEGER NOT NULL, code INTEGER NOT NULL, inputs TEXT NOT NULL DEFAULT '[]', PRIMARY KEY (left_line, left_repeat)) STRICT, WITHOUT ROWID`);
  const paired = keys === undefined ? pairByContent(database) : pairByKey(database, keys);
  writeDifferingInputs(database, left, right);
  const { n: count } = database.prepare('SELECT count(*) AS n FROM temp.pairs').get() as { n: number };
  return { ...paired, count };
}

const columns = 'left_line, left_repeat, right_line, right_repeat, same, code';
const code = rowCodeSql('l', 'r');

type Paired = Pick<ReturnType<typeof pairRows>, 'by' | 'isInPlace'>;

function pairByContent(database: DatabaseSync): Paired {
  const samePlace = `SELECT l.line, l.repeat, r.line, r.repeat, l.inputs_hash = r.inputs_hash AS same, ${code}
    FROM main.row_ends l JOIN other.row_ends r ON r.line = l.line AND r.repeat = l.repeat`;
  database.exec(`INSERT INTO temp.pairs (${columns}) ${samePlace} AND r.inputs_hash = l.inputs_hash`);
  const { n: rest } = database
    .prepare(`SELECT (SELECT count(*) FROM main.row_ends) - (SELECT count(*) FROM temp.pairs) AS n`)
    .get() as { n: number };
  if (rest === 0) return { by: 'line', isInPlace: true };
  database.exec('CREATE UNIQUE INDEX temp.pairs_right ON pairs (right_line, right_repeat)');
  const moved = database
    .prepare(`INSERT INTO temp.pairs (${columns})
    SELECT l.line, l.repeat, r.line, r.repeat, 1, ${code} FROM (${unpairedSql('left', numbered)}) l
    JOIN (${unpairedSql('right', numbered)}) r USING (inputs_hash, repeat, number)`)
    .run();
  database.exec(`INSERT INTO temp.pairs (${columns}) SELECT l.line, l.repeat, r.line, r.repeat, 0, ${code}
    FROM (${unpairedSql('left', '*')}) l JOIN (${unpairedSql('right', '*')}) r ON r.line = l.line AND r.repeat = l.repeat`);
  return { by: Number(moved.changes) > 0 ? 'content' : 'line', isInPlace: false };
}

/** Rows that got the same, numbered in order. */
const numbered =
  'line, repeat, inputs_hash, status, outputs_hash, row_number() OVER (PARTITION BY inputs_hash, repeat ORDER BY line) AS number';

/** SQL for the rows of one run that have no partner yet. */
export function unpairedSql(side: 'left' | 'right', selected: string): string {
  return `SELECT ${selected} FROM ${side === 'left' ? 'main' : 'other'}.row_ends row WHERE NOT EXISTS
    (SELECT 1 FROM temp.pairs WHERE ${side}_line = row.line AND ${side}_repeat = row.repeat)`;
}

function pairByKey(database: DatabaseSync, keys: NonNullable<PairRowsOptions['keys']>): Paired {
  for (const side of ['left', 'right'] as const) {
    database.exec(`CREATE TEMP TABLE ${side}_keys (key TEXT NOT NULL, repeat INTEGER NOT NULL, line INTEGER NOT NULL,
      PRIMARY KEY (key, repeat)) STRICT, WITHOUT ROWID`);
    const add = database.prepare(`INSERT INTO ${side}_keys (key, repeat, line) VALUES (?, ?, ?)`);
    for (const { key, repeat, line } of keys[side]) add.run(key, repeat, line);
  }
  database.exec(`INSERT INTO temp.pairs (${columns})
    SELECT l.line, l.repeat, r.line, r.repeat, l.inputs_hash = r.inputs_hash, ${code}
    FROM temp.left_keys a JOIN temp.right_keys b USING (key, repeat)
    JOIN main.row_ends l ON l.line = a.line AND l.repeat = a.repeat
    JOIN other.row_ends r ON r.line = b.line AND r.repeat = b.repeat`);
  return { by: 'key', isInPlace: false };
}

interface PlacesOfPair {
  readonly left_line: number;
  readonly left_repeat: number;
  readonly right_line: number;
  readonly right_repeat: number;
}

/** Which inputs differ is asked of the payloads, and only of rows whose digests differ. */
function writeDifferingInputs(database: DatabaseSync, left: RunStore, right: RunStore): void {
  const differing = database
    .prepare('SELECT * FROM temp.pairs WHERE same = 0')
    .all() as unknown as readonly PlacesOfPair[];
  const write = database.prepare('UPDATE temp.pairs SET inputs = ? WHERE left_line = ? AND left_repeat = ?');
  for (const pair of differing) {
    const one = left.row(pair.left_line, pair.left_repeat)?.inputs ?? {};
    const other = right.row(pair.right_line, pair.right_repeat)?.inputs ?? {};
    const names = [...new Set([...Object.keys(other), ...Object.keys(one)])];
    const changed = names.filter((name) => !isDeepStrictEqual(one[name], other[name]));
    write.run(JSON.stringify(changed), pair.left_line, pair.left_repeat);
  }
}
