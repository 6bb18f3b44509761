import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ReachedValue, ValuePath } from '../value/reach-value.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import type { PayloadBytes } from './payload-bytes.ts';
import { type NodePayload, type PayloadReading, RowPayloads } from './read-row-payloads.ts';
import type { ReadEnd, ReadRecord, ReadRow, WantedRecords } from './run-store.ts';
import type { SegmentReader } from './segments.ts';
import { statusOf } from './status-number.ts';

/** Rows whose narrow records are read at once; with more of them many would outlive the collection of garbage. */
const chunk = 32;

/** Rows with what is wanted of them. Of a payload only what is asked for is read. */
export function* readRows(database: DatabaseSync, segments: SegmentReader, wanted: WantedRecords): Generator<ReadRow> {
  const nodesBetween = nodeReader(database, wanted);
  const selectPlace = database.prepare('SELECT place, size FROM node_ends WHERE line = ? AND repeat = ? AND node = ?');
  const reader = { segments, selectPlace };
  for (const rows of rowChunks(database)) {
    const ofRows = nodesBetween(rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0);
    for (const columns of rows) {
      yield new StoredRow(columns, ofRows.get(rowKey(columns[0], columns[1])) ?? [], reader);
    }
  }
}

type Optional = number | null;
type RowColumns = readonly [
  ...[line: number, repeat: number, status: number, startedAt: Optional, durationMs: Optional],
  ...[unfinished: number, place: number, size: number],
];
/** What is in the columns: `rowKey`, `node * 8 + status`. */
type NodeColumns = readonly [
  ...[row: number, node: number, durationMs: Optional],
  ...[promptTokens: Optional, completionTokens: Optional, place: number, size: number],
];

class StoredRow implements ReadRow {
  readonly line: number;
  readonly repeat: number;
  private readonly columns: RowColumns;
  private readonly own: readonly StoredNode[];
  private readonly payloads: RowPayloads;
  private ends: readonly ReadEnd[] | undefined;
  private given: RowRun['outputs'] | undefined;
  private got: RowRun['inputs'] | undefined;

  constructor(columns: RowColumns, own: readonly StoredNode[], reader: PayloadReading) {
    const [line, repeat, , , , , place, size] = columns;
    this.line = line;
    this.repeat = repeat;
    this.columns = columns;
    this.own = own;
    this.payloads = new RowPayloads(reader, { line, repeat, place, size }, own);
    for (const node of own) node.payloads = this.payloads;
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
    this.got ??= this.payloads.rowInputs();
    return this.got;
  }

  get outputs(): RowRun['outputs'] {
    this.given ??= this.payloads.rowOutputs();
    return this.given;
  }

  get error(): RowRun['error'] | undefined {
    return this.payloads.rowRest('error') as RowRun['error'] | undefined;
  }

  get nodes(): readonly ReadEnd[] {
    this.ends ??= this.own.filter(({ named }) => named.isEndWanted);
    return this.ends;
  }

  record(name: string): ReadRecord | undefined {
    for (const node of this.own) if (node.named.name === name) return node.named.isWanted ? node : undefined;
    return undefined;
  }

  reachOutput(path: ValuePath): ReachedValue | undefined {
    return this.payloads.reachOutputs(path);
  }
}

interface NamedNode {
  readonly name: string;
  readonly kind: string;
  readonly isWanted: boolean;
  readonly isEndWanted: boolean;
}

/** How a node ended and, once it is asked for, what it gave. */
class StoredNode implements ReadEnd, ReadRecord, NodePayload {
  readonly named: NamedNode;
  private readonly columns: NodeColumns;
  payload: PayloadBytes | undefined;
  /** Of its row. */
  payloads: RowPayloads | undefined;

  constructor(named: NamedNode, columns: NodeColumns) {
    this.named = named;
    this.columns = columns;
  }

  get id(): number {
    return Math.floor(this.columns[1] / statusFactor);
  }

  get node(): string {
    return this.named.name;
  }

  get kind(): string {
    return this.named.kind;
  }

  get status(): NodeRun['status'] {
    return statusOf(this.columns[1] % statusFactor);
  }

  get durationMs(): number | undefined {
    return this.columns[2] ?? undefined;
  }

  get usage(): NodeRun['usage'] {
    const [, , , prompt, completion] = this.columns;
    if (prompt === null || completion === null) return undefined;
    return { promptTokens: prompt, completionTokens: completion, totalTokens: prompt + completion };
  }

  get place(): number {
    return this.columns[5];
  }

  get size(): number {
    return this.columns[6];
  }

  get output(): NodeRun['output'] | undefined {
    return this.reachOutput([])?.value;
  }

  get cache(): NodeRun['cache'] | undefined {
    return this.payloads?.rest(this, 'cache') as NodeRun['cache'] | undefined;
  }

  reachOutput(path: ValuePath): ReachedValue | undefined {
    return this.payloads?.reachOutput(this, path);
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
    `SELECT line * ${repeatFactor} + repeat, node * ${statusFactor} + status, duration_ms, prompt_tokens,
       completion_tokens, place, size
     FROM node_ends WHERE line BETWEEN ? AND ? AND node IN (${[...nodes.keys()].join(', ')})`,
  );
  return (first, last) => {
    const groups = new Map<number, StoredNode[]>();
    let group: StoredNode[] = [];
    let of = -1;
    for (const columns of select.all(first, last) as unknown as readonly NodeColumns[]) {
      const [key, node] = columns;
      if (key !== of) {
        group = groups.get(key) ?? [];
        groups.set(key, group);
        of = key;
      }
      group.push(new StoredNode(nodes.get(Math.floor(node / statusFactor)) as NamedNode, columns));
    }
    return groups;
  };
}

const repeatFactor = 2 ** 20;
const statusFactor = 8;

function rowKey(line: number, repeat: number): number {
  return line * repeatFactor + repeat;
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
