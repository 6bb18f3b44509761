import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { NodeRun, RowRun } from './node-run.ts';
import { RowPayloads } from './read-row-payloads.ts';
import type { NodeEnd, ReadRecord, ReadRow, WantedRecords } from './run-store.ts';
import type { PayloadPlace, SegmentReader } from './segments.ts';
import { statusOf } from './status-number.ts';

/** Rows whose narrow records are read at once. */
const chunk = 256;

/** Rows with what is wanted of them. A payload is read and parsed when a value of it is asked for, and only then. */
export function* readRows(database: DatabaseSync, segments: SegmentReader, wanted: WantedRecords): Generator<ReadRow> {
  const nodesBetween = nodeReader(database, wanted);
  const selectPlace = database.prepare('SELECT place, size FROM node_ends WHERE line = ? AND repeat = ? AND node = ?');
  for (const rows of rowChunks(database)) {
    const ofRows = nodesBetween(rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0);
    for (const columns of rows) {
      const own = ofRows.get(rowKey(columns[0], columns[1])) ?? [];
      yield new StoredRow(columns, own, new RowPayloads(segments, selectPlace, columns[0], columns[1], own));
    }
  }
}

type Optional = number | null;
type RowColumns = readonly [
  ...[line: number, repeat: number, status: number, startedAt: Optional, durationMs: Optional],
  ...[unfinished: number, place: number, size: number],
];
type NodeColumns = readonly [
  ...[line: number, repeat: number, node: number, status: number, durationMs: Optional],
  ...[promptTokens: Optional, completionTokens: Optional, place: number, size: number],
];

class StoredRow implements ReadRow {
  readonly line: number;
  readonly repeat: number;
  private readonly columns: RowColumns;
  private readonly own: readonly StoredNode[];
  private readonly payloads: RowPayloads;

  constructor(columns: RowColumns, own: readonly StoredNode[], payloads: RowPayloads) {
    this.line = columns[0];
    this.repeat = columns[1];
    this.columns = columns;
    this.own = own;
    this.payloads = payloads;
    for (const node of own) node.payloads = payloads;
  }

  get status(): RowRun['status'] {
    return statusOf(this.columns[2]) as RowRun['status'];
  }

  get startedAt(): number {
    return this.columns[3] ?? 0;
  }

  get durationMs(): number {
    return this.columns[4] ?? 0;
  }

  get isUnfinished(): boolean {
    return this.columns[5] > 0;
  }

  get inputs(): RowRun['inputs'] {
    return this.payloads.rowInputs(this.place);
  }

  get outputs(): RowRun['outputs'] {
    return this.payloads.rowOutputs(this.place);
  }

  get error(): RowRun['error'] | undefined {
    return this.payloads.rowRest(this.place).error;
  }

  get nodes(): readonly NodeEnd[] {
    return this.own.filter(({ named }) => named.isEndWanted);
  }

  get records(): ReadonlyMap<string, ReadRecord> {
    const records = new Map<string, ReadRecord>();
    for (const node of this.own) if (node.named.isWanted) records.set(node.node, node);
    return records;
  }

  private get place(): PayloadPlace {
    return { place: this.columns[6], size: this.columns[7] };
  }
}

interface NamedNode {
  readonly name: string;
  readonly kind: string;
  readonly isWanted: boolean;
  readonly isEndWanted: boolean;
}

/** How a node ended and, once it is asked for, what it gave. */
class StoredNode implements NodeEnd, ReadRecord, PayloadPlace {
  readonly id: number;
  readonly named: NamedNode;
  readonly status: NodeRun['status'];
  readonly durationMs?: number;
  readonly usage?: NonNullable<NodeRun['usage']>;
  readonly place: number;
  readonly size: number;
  /** Of its row. */
  payloads: RowPayloads | undefined;

  constructor(named: NamedNode, [, , id, status, durationMs, prompt, completion, place, size]: NodeColumns) {
    this.id = id;
    this.named = named;
    this.status = statusOf(status);
    if (durationMs !== null) this.durationMs = durationMs;
    if (prompt !== null && completion !== null) {
      this.usage = { promptTokens: prompt, completionTokens: completion, totalTokens: prompt + completion };
    }
    this.place = place;
    this.size = size;
  }

  get node(): string {
    return this.named.name;
  }

  get kind(): string {
    return this.named.kind;
  }

  get output(): NodeRun['output'] | undefined {
    return this.payloads?.output(this);
  }

  get cache(): NodeRun['cache'] | undefined {
    return this.payloads?.rest(this).cache;
  }
}

/** Columns as lists: a name for each of a million values would take longer than all the rest. */
function prepareLists(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

function* rowChunks(database: DatabaseSync): Generator<readonly RowColumns[]> {
  const select = prepareLists(
    database,
    `SELECT line, repeat, status, started_at, duration_ms, unfinished, place, size FROM row_ends
     WHERE (line, repeat) > (?, ?) ORDER BY line, repeat LIMIT ${chunk}`,
  );
  let [line, repeat] = [-1, 0];
  for (;;) {
    const rows = select.all(line, repeat) as unknown as readonly RowColumns[];
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    [line, repeat] = last;
  }
}

type NodesOfRows = ReadonlyMap<number, readonly StoredNode[]>;

/** Reads the wanted nodes of the rows of some lines, by `rowKey`. */
function nodeReader(database: DatabaseSync, wanted: WantedRecords): (first: number, last: number) => NodesOfRows {
  const nodes = namedNodes(database, wanted);
  if (nodes.size === 0) return () => new Map();
  const select = prepareLists(
    database,
    `SELECT line, repeat, node, status, duration_ms, prompt_tokens, completion_tokens, place, size
     FROM node_ends WHERE line BETWEEN ? AND ? AND node IN (${[...nodes.keys()].join(', ')})`,
  );
  return (first, last) => {
    const groups = new Map<number, StoredNode[]>();
    let group: StoredNode[] = [];
    let of = -1;
    for (const columns of select.all(first, last) as unknown as readonly NodeColumns[]) {
      const key = rowKey(columns[0], columns[1]);
      if (key !== of) {
        group = groups.get(key) ?? [];
        groups.set(key, group);
        of = key;
      }
      group.push(new StoredNode(nodes.get(columns[2]) as NamedNode, columns));
    }
    return groups;
  };
}

function rowKey(line: number, repeat: number): number {
  return line * 2 ** 20 + repeat;
}

/** By their ids. */
function namedNodes(database: DatabaseSync, { nodes, ends = [] }: WantedRecords): ReadonlyMap<number, NamedNode> {
  const [wanted, endWanted] = [new Set(nodes), new Set(ends)];
  const rows = database.prepare('SELECT id, name, kind FROM nodes').all() as unknown as readonly (Pick<
    NamedNode,
    'name' | 'kind'
  > & { readonly id: number })[];
  const named = rows.map(({ id, name, kind }) => {
    return [id, { name, kind, isWanted: wanted.has(name), isEndWanted: endWanted.has(name) }] as const;
  });
  return new Map(named.filter(([, { isWanted, isEndWanted }]) => isWanted || isEndWanted));
}
