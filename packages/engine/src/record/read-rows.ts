import type { Usage } from '../node/node-report.ts';
import type { PathResult, ValuePath } from '../value/get-path.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import type { PayloadBytes } from './payload-bytes.ts';
import { type NodePayload, type PayloadReading, RowPayloads } from './read-row-payloads.ts';
import type { RowId } from './run-comparison.ts';
import { RunDamageError } from './run-file-error.ts';
import type { ReadEnd, ReadRecord, RecordProjection, RowView } from './run-store.ts';
import { damagedSegments, type SegmentReader } from './segments.ts';
import { statusOf } from './status-number.ts';
import {
  isNodeEndSound,
  isRowEndSound,
  type NodeEndColumns,
  nodeEndColumns,
  nodeEndPlace,
  prepareLists,
  type RecordSource,
  type RowEndColumns,
  recordDamaged,
  rowDamage,
  rowEndColumns,
  rowEndPlace,
} from './stored-ends.ts';

/** Rows whose narrow records are read at once; with more of them many would outlive the collection of garbage. */
const chunk = 32;

/** Rows with what is wanted of them. Of a payload only what is asked for is read. */
export function* readRows(source: RecordSource, segments: SegmentReader, wanted: RecordProjection): Generator<RowView> {
  const reading = { ...source, segments, selectEnd: prepareLists(source.database, oneNodeEnd) };
  // What a row refers to is looked for when it is asked for: where some of it is lost, that has to be before.
  const hasDamage = damagedSegments(source.database).size > 0;
  const ids = new Set(namedNodes(source, wanted).keys());
  for (const { end, nodes } of wantedEnds(source, wanted)) {
    if (!areSound(source, end, nodes, ids)) {
      source.onDamage(rowDamage(source.path, { line: end[0], repeat: end[1] }, recordDamaged));
      continue;
    }
    const row = new StoredRow(end, nodes, reading);
    if (!hasDamage || isReadable(row, wanted, source)) yield row;
  }
}

function areSound(
  { expected }: RecordSource,
  end: RowEndColumns,
  nodes: readonly StoredNode[],
  wanted: ReadonlySet<number>,
): boolean {
  const [line, repeat] = end;
  if (!isRowEndSound(end) || !nodes.every(({ isSound }) => isSound)) return false;
  return expected.areFound(
    { line, repeat },
    nodes.map(({ id }) => id),
    wanted,
  );
}

interface WantedEnds {
  readonly end: RowEndColumns;
  readonly nodes: readonly StoredNode[];
}

/** Narrow records of rows and of their nodes that are wanted. */
function* wantedEnds(source: RecordSource, wanted: RecordProjection): Generator<WantedEnds> {
  const nodesBetween = nodeReader(source, wanted);
  for (const rows of rowChunks(source)) {
    const ofRows = nodesBetween(rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0);
    for (const end of rows) yield { end, nodes: ofRows.get(rowKey(end[0], end[1])) ?? [] };
  }
}

const oneNodeEnd = `SELECT ${nodeEndColumns} FROM node_ends WHERE line = ? AND repeat = ? AND node = ?`;

/** Reads all that is wanted. */
function isReadable(row: StoredRow, { nodes }: RecordProjection, { path, onDamage }: RecordSource): boolean {
  try {
    void [row.inputs, row.outputs, row.error];
    for (const node of nodes) {
      const record = row.record(node);
      void [record?.output, record?.cache];
    }
    return true;
  } catch (error) {
    if (!(error instanceof RunDamageError)) throw error;
    onDamage(error.row === undefined ? rowDamage(path, row, error.message) : error);
    return false;
  }
}

class StoredRow implements RowView {
  readonly line: number;
  readonly repeat: number;
  private readonly columns: RowEndColumns;
  private readonly own: readonly StoredNode[];
  private readonly payloads: RowPayloads;
  private ends: readonly ReadEnd[] | undefined;
  private given: RowRun['outputs'] | undefined;
  private got: RowRun['inputs'] | undefined;

  constructor(columns: RowEndColumns, own: readonly StoredNode[], reading: PayloadReading) {
    const [line, repeat] = columns;
    this.line = line;
    this.repeat = repeat;
    this.columns = columns;
    this.own = own;
    this.payloads = new RowPayloads(reading, { line, repeat, ...rowEndPlace(columns) }, own);
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

  reachOutput(path: ValuePath): PathResult | undefined {
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
  private readonly columns: NodeEndColumns;
  readonly place: number;
  readonly size: number;
  payload: PayloadBytes | undefined;
  /** Of its row. */
  payloads: RowPayloads | undefined;

  constructor(named: NamedNode, columns: NodeEndColumns) {
    this.named = named;
    this.columns = columns;
    const { place, size } = nodeEndPlace(columns);
    this.place = place;
    this.size = size;
  }

  get isSound(): boolean {
    return isNodeEndSound(this.columns);
  }

  get id(): number {
    return this.columns[2];
  }

  get node(): string {
    return this.named.name;
  }

  get kind(): string {
    return this.named.kind;
  }

  get status(): NodeRun['status'] {
    return statusOf(this.columns[3]);
  }

  get durationMs(): number | undefined {
    return this.columns[5] ?? undefined;
  }

  get usage(): NodeRun['usage'] {
    const [, , , , , , prompt, completion] = this.columns;
    if (prompt === null || completion === null) return undefined;
    const whole = this.named.isWanted ? this.payloads?.rest(this, 'usage') : undefined;
    if (whole !== undefined) return whole as unknown as Usage;
    return { promptTokens: prompt, completionTokens: completion, totalTokens: prompt + completion };
  }

  get output(): NodeRun['output'] | undefined {
    return this.reachOutput([])?.value;
  }

  get cache(): NodeRun['cache'] | undefined {
    return this.payloads?.rest(this, 'cache') as NodeRun['cache'] | undefined;
  }

  reachOutput(path: ValuePath): PathResult | undefined {
    return this.payloads?.reachOutput(this, path);
  }
}

function* rowChunks({ database }: RecordSource): Generator<readonly RowEndColumns[]> {
  const select = prepareLists(
    database,
    `SELECT ${rowEndColumns} FROM row_ends WHERE (line, repeat) > (?, ?) ORDER BY line, repeat LIMIT ${chunk}`,
  );
  let last: Pick<RowId, 'line' | 'repeat'> = { line: -1, repeat: 0 };
  for (;;) {
    const rows = select.all(last.line, last.repeat) as unknown as readonly RowEndColumns[];
    const next = rows.at(-1);
    if (next === undefined) return;
    yield rows;
    const [line, repeat] = next;
    last = { line, repeat };
  }
}

type NodesOfRows = ReadonlyMap<number, readonly StoredNode[]>;

/** Reads the wanted nodes of the rows of some lines, by `rowKey`. */
function nodeReader(source: RecordSource, wanted: RecordProjection): (first: number, last: number) => NodesOfRows {
  const nodes = namedNodes(source, wanted);
  if (nodes.size === 0) return () => new Map();
  const select = prepareLists(
    source.database,
    `SELECT ${nodeEndColumns} FROM node_ends WHERE line BETWEEN ? AND ? AND node IN (${[...nodes.keys()].join(', ')})`,
  );
  return (first, last) => {
    const groups = new Map<number, StoredNode[]>();
    let group: StoredNode[] = [];
    let of = -1;
    for (const columns of select.all(first, last) as unknown as readonly NodeEndColumns[]) {
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
function namedNodes({ names }: RecordSource, { nodes, ends = [] }: RecordProjection): ReadonlyMap<number, NamedNode> {
  const [wanted, endWanted] = [new Set(nodes), new Set(ends)];
  const named = [...names.all()].map(([id, { name, kind }]) => {
    return [id, { name, kind, isWanted: wanted.has(name), isEndWanted: endWanted.has(name) }] as const;
  });
  return new Map(named.filter(([, { isWanted, isEndWanted }]) => isWanted || isEndWanted));
}
