import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { StoredNodeEnd, StoredRowEnd } from './write-statements.ts';

/**
 * How many records a table has and sums over them, kept in the table `totals` and brought up to date with every commit: a
 * record that is missing, is there twice or has another key shows, and what is counted in SQL can be relied on.
 *
 * Keys and durations enter by their remainders, so that sums stay exact; a changed bit changes any remainder by a prime.
 */
const prime = 2_147_483_647;
/** Sums are kept by their lowest 48 bits. */
const sumLimit = 2 ** 48;

export const countedTables = ['node_ends', 'row_ends', 'row_digests', 'nodes', 'metrics', 'meta'] as const;
export type CountedTable = (typeof countedTables)[number];

const noTokens = { prompt_tokens: '0', completion_tokens: '0', nanoseconds: '0' };
/** SQL for what is summed up; the same as the methods of `TableTotals` work out. */
const summed: Readonly<Record<CountedTable, typeof noTokens & { readonly key: string }>> = {
  node_ends: {
    key: '((line * 1024 + repeat) * 64 + node) * 8 + status',
    prompt_tokens: 'prompt_tokens',
    completion_tokens: 'completion_tokens',
    nanoseconds: `CAST(duration_ms * 1000000 AS INTEGER) % ${prime}`,
  },
  row_ends: { key: '((line * 1024 + repeat) * 8 + status) * 2 + (unfinished > 0)', ...noTokens },
  row_digests: { key: 'row', ...noTokens },
  nodes: { key: 'id', ...noTokens },
  metrics: { key: '0', ...noTokens },
  meta: { key: '0', ...noTokens },
};

/** Columns that keys are made of, where they can hold something else than a whole number: in a sum that counts as 0. */
const keyColumns: Readonly<Record<CountedTable, readonly string[]>> = {
  node_ends: ['line', 'repeat', 'node', 'status'],
  row_ends: ['line', 'repeat', 'status', 'unfinished'],
  row_digests: [],
  nodes: [],
  metrics: [],
  meta: [],
};

/**
 * SQL that tells whether a key is no whole number. Texts and blobs are greater than any number, and a fraction makes one of the
 * key, of which a remainder would not tell.
 */
function oddKeySql(table: CountedTable): string {
  const odd = keyColumns[table].map((name) => `typeof(max(${name})) <> 'integer' OR count(${name}) < count(*)`);
  odd.push(`max(typeof(${summed[table].key})) <> 'integer'`);
  return keyColumns[table].length === 0 ? '0' : `count(*) > 0 AND (${odd.join(' OR ')})`;
}

const columns = ['records', 'keys', 'checksums', 'prompt_tokens', 'completion_tokens', 'nanoseconds'] as const;
type Sums = Record<(typeof columns)[number], number>;

/** SQL that gives the sums of a table as it is. */
function sumsSql(table: CountedTable): string {
  const { key, ...amounts } = summed[table];
  const sums = { keys: `(${key}) % ${prime}`, checksums: 'checksum', ...amounts };
  const selected = Object.entries(sums).map(([name, sql]) => `coalesce(sum(${sql}), 0) % ${sumLimit} AS ${name}`);
  return `SELECT '${table}' AS name, count(*) AS records, ${selected.join(', ')}`;
}

/** How many records a table has and should have, where its sums are not what was written; undefined where all is there. */
export function missingRecords(
  database: DatabaseSync,
  table: CountedTable,
  schemaName = 'main',
): { readonly found: number; readonly recorded: number } | undefined {
  const differ = columns.map((column) => `t.${column} IS NOT c.${column}`).join(' OR ');
  const sql = `SELECT t.records AS recorded, c.records AS found, (${differ} OR c.odd) AS differ
    FROM (${sumsSql(table)}, ${oddKeySql(table)} AS odd FROM ${schemaName}.${table}) c
    LEFT JOIN ${schemaName}.totals t ON t.name = c.name`;
  const { differ: isOther, found, recorded } = database.prepare(sql).get() as Readonly<Record<string, number | null>>;
  return isOther === 0 ? undefined : { found: found ?? 0, recorded: recorded ?? 0 };
}

/** The sums of a file that is written. */
export class TableTotals {
  private readonly database: DatabaseSync;
  private readonly save: StatementSync;
  private readonly sums: Record<CountedTable, Sums>;
  private readonly changed = new Set<CountedTable>();

  /** As the file has them: none in a new one. */
  constructor(database: DatabaseSync) {
    this.database = database;
    this.save = database.prepare(
      `INSERT OR REPLACE INTO totals (name, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
    );
    const read = (table: CountedTable): Sums => {
      const sums = database.prepare(`SELECT ${columns.join(', ')} FROM totals WHERE name = ?`).get(table);
      return (sums ?? Object.fromEntries(columns.map((column) => [column, 0]))) as Sums;
    };
    this.sums = {
      node_ends: read('node_ends'),
      row_ends: read('row_ends'),
      row_digests: read('row_digests'),
      nodes: read('nodes'),
      metrics: read('metrics'),
      meta: read('meta'),
    };
  }

  addNodeEnd(
    [line, repeat, node, status, , durationMs, promptTokens, completionTokens]: StoredNodeEnd,
    checksum: number,
  ): void {
    const sums = this.add('node_ends', ((line * 1024 + repeat) * 64 + node) * 8 + status, checksum);
    sums.prompt_tokens = (sums.prompt_tokens + (promptTokens ?? 0)) % sumLimit;
    sums.completion_tokens = (sums.completion_tokens + (completionTokens ?? 0)) % sumLimit;
    sums.nanoseconds = (sums.nanoseconds + (Math.trunc((durationMs || 0) * 1_000_000) % prime)) % sumLimit;
  }

  addRowEnd([line, repeat, status, , , unfinished]: StoredRowEnd, checksum: number): void {
    this.add('row_ends', ((line * 1024 + repeat) * 8 + status) * 2 + (unfinished > 0 ? 1 : 0), checksum);
  }

  addRowDigests(row: number, checksum: number): void {
    this.add('row_digests', row, checksum);
  }

  /** Of the same row, other digests. */
  replaceRowDigests(before: number, after: number): void {
    const sums = this.sums.row_digests;
    sums.checksums = (sums.checksums - before + after + sumLimit) % sumLimit;
    this.changed.add('row_digests');
  }

  /** After records were taken away or replaced: works the sums out of the table itself. */
  countAnew(table: CountedTable): void {
    const { name: _, ...sums } = this.database.prepare(`${sumsSql(table)} FROM ${table}`).get() as unknown as Sums & {
      name: string;
    };
    this.sums[table] = sums;
    this.changed.add(table);
  }

  /** Inside a transaction that is about to be committed. */
  keep(): void {
    for (const table of this.changed) {
      const { records, keys, checksums, prompt_tokens, completion_tokens, nanoseconds } = this.sums[table];
      this.save.run(table, records, keys, checksums, prompt_tokens, completion_tokens, nanoseconds);
    }
    this.changed.clear();
  }

  private add(table: CountedTable, key: number, checksum: number): Sums {
    const sums = this.sums[table];
    sums.records += 1;
    sums.keys = (sums.keys + (key % prime)) % sumLimit;
    sums.checksums = (sums.checksums + checksum) % sumLimit;
    this.changed.add(table);
    return sums;
  }
}
