import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { endChecksum, nodeNameChecksum } from './checksums.ts';
import type { ExpectedNodes } from './expected-nodes.ts';
import type { RowId } from './run-comparison.ts';
import { type OnDamage, RunDamageError } from './run-file-error.ts';
import type { PayloadPlace } from './segments.ts';
import type { CountedTable } from './table-totals.ts';
import type { StoredNodeEnd, StoredRowEnd } from './write-statements.ts';

/** With its checksum. */
export type NodeEndColumns = readonly [...StoredNodeEnd, checksum: number];
export const nodeEndColumns = `line, repeat, node, status, started_at, duration_ms, prompt_tokens, completion_tokens,
  place, size, checksum`;

/** With its checksum. */
export type RowEndColumns = readonly [...StoredRowEnd, checksum: number];
export const rowEndColumns = 'line, repeat, status, started_at, duration_ms, unfinished, place, size, checksum';

export function isNodeEndSound(columns: NodeEndColumns): boolean {
  return columns[10] === endChecksum('node_ends', columns, 10);
}

export function isRowEndSound(columns: RowEndColumns): boolean {
  return columns[8] === endChecksum('row_ends', columns, 8);
}

export function nodeEndPlace([, , , , , , , , place, size]: NodeEndColumns): PayloadPlace {
  return { place, size };
}

export function rowEndPlace([, , , , , , place, size]: RowEndColumns): PayloadPlace {
  return { place, size };
}

export function prepareLists(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

/** What records of a file are read with. */
export interface RecordSource {
  readonly database: DatabaseSync;
  /** For what is said of damage. */
  readonly path: string;
  readonly names: NodeNames;
  readonly expected: ExpectedNodes;
  /** Tables that were found not to hold all that was written to them. */
  readonly damagedTables: ReadonlySet<CountedTable>;
  /** Told of what is left out; throws where nothing may be. */
  readonly onDamage: OnDamage;
}

export function rowDamage(path: string, { line, repeat }: RowId, what: string): RunDamageError {
  const name = repeat === 0 ? `row ${line}` : `row ${line}, repetition ${repeat},`;
  return new RunDamageError({
    message: `${name} of the run record ${path} cannot be read: ${what}`,
    row: { line, repeat },
  });
}

/** Why no row can be read that names nodes. */
export function namesDamage(path: string): RunDamageError {
  return new RunDamageError({ message: `the run record ${path} is damaged: its list of nodes` });
}

/** Why a row cannot be read one of whose records is not what was written. */
export const recordDamaged = 'a record of it is damaged';

/** Names and kinds of nodes by the ids that records have. */
export class NodeNames {
  private readonly database: DatabaseSync;
  private readonly path: string;
  private readonly table: string;
  private names: ReadonlyMap<number, NodeName> = new Map();

  constructor(database: DatabaseSync, path: string, table = 'nodes') {
    this.database = database;
    this.path = path;
    this.table = table;
  }

  /** @throws RunDamageError when there is no such node */
  of(id: number): NodeName {
    const known = this.names.get(id) ?? this.all().get(id);
    if (known === undefined) throw namesDamage(this.path);
    return known;
  }

  /** As the file has them now. */
  all(): ReadonlyMap<number, NodeName> {
    const rows = this.database
      .prepare(`SELECT id, name, kind, checksum FROM ${this.table}`)
      .all() as unknown as readonly (NodeName & {
      readonly id: number;
      readonly checksum: number;
    })[];
    if (rows.some(({ id, name, kind, checksum }) => checksum !== nodeNameChecksum(id, name, kind)))
      throw namesDamage(this.path);
    this.names = new Map(rows.map(({ id, name, kind }) => [id, { name, kind }]));
    return this.names;
  }
}

export interface NodeName {
  readonly name: string;
  readonly kind: string;
}
