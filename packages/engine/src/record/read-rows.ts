import type { StatementSync } from 'node:sqlite';
import { type Payload, PayloadReader, parsePayload } from './decode-record.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { readEnd, rowHead } from './read-columns.ts';
import type { RowId } from './run-comparison.ts';
import { RunDamageError } from './run-file-error.ts';
import type { ReadEnd, ReadRecord, RecordProjection, RowView } from './run-reader.ts';
import type { PayloadPlace, SegmentReader } from './segments.ts';
import { statusOf } from './status-number.ts';
import {
  isNodeEndSound,
  isRowEndSound,
  type NodeEndColumns,
  namesDamage,
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

/** Rows whose ends are read at once. */
const chunk = 32;

/** Rows with what is wanted of them. */
export function* readRows(source: RecordSource, segments: SegmentReader, wanted: RecordProjection): Generator<RowView> {
  const reader = new WantedReader(source, segments, wanted);
  for (const rows of rowChunks(source)) {
    const nodes = reader.nodesBetween(rows[0]?.[0] ?? 0, rows.at(-1)?.[0] ?? 0);
    for (const row of rows) {
      const read = reader.read(row, nodes.get(rowKey(row[0], row[1])) ?? []);
      if (read !== undefined) yield read;
    }
  }
}

interface WantedNode {
  readonly name: string;
  readonly kind: string;
  readonly isWanted: boolean;
  readonly isEndWanted: boolean;
}

class WantedReader {
  private readonly source: RecordSource;
  private readonly segments: SegmentReader;
  private readonly hasValues: boolean;
  /** By their ids. */
  private readonly wanted: ReadonlyMap<number, WantedNode>;
  private readonly ids: ReadonlySet<number>;
  private readonly selectNodes: StatementSync;
  private readonly selectNode: StatementSync;

  constructor(source: RecordSource, segments: SegmentReader, wanted: RecordProjection) {
    this.source = source;
    this.segments = segments;
    this.hasValues = wanted.values ?? true;
    this.wanted = wantedNodes(source, wanted);
    this.ids = new Set(this.wanted.keys());
    const select = `SELECT ${nodeEndColumns} FROM node_ends WHERE`;
    const ids = [...this.ids].join(', ');
    this.selectNodes = prepareLists(source.database, `${select} line BETWEEN ? AND ? AND node IN (${ids})`);
    this.selectNode = prepareLists(source.database, `${select} line = ? AND repeat = ? AND node = ?`);
  }

  /** The wanted nodes of the rows of some lines, by `rowKey`. */
  nodesBetween(first: number, last: number): ReadonlyMap<number, readonly NodeEndColumns[]> {
    if (this.ids.size === 0) return new Map();
    const found = this.selectNodes.all(first, last) as unknown as readonly NodeEndColumns[];
    return Map.groupBy(found, ([line, repeat]) => rowKey(line, repeat));
  }

  /** @returns undefined for a row that cannot be read, which is told */
  read(row: RowEndColumns, nodes: readonly NodeEndColumns[]): RowView | undefined {
    const { path, onDamage } = this.source;
    const id = { line: row[0], repeat: row[1] };
    try {
      if (this.source.damagedTables.has('nodes')) throw namesDamage(path);
      if (this.isSound(row, nodes)) return this.readSound(row, nodes);
      throw rowDamage(path, id, recordDamaged);
    } catch (error) {
      if (!(error instanceof RunDamageError)) throw error;
      onDamage(error.row === undefined ? rowDamage(path, id, error.message) : error);
      return undefined;
    }
  }

  private isSound(row: RowEndColumns, nodes: readonly NodeEndColumns[]): boolean {
    if (!isRowEndSound(row) || !nodes.every(isNodeEndSound)) return false;
    const found = nodes.map(([, , id]) => id);
    return this.source.expected.areFound({ line: row[0], repeat: row[1] }, found, this.ids);
  }

  private readSound(row: RowEndColumns, nodes: readonly NodeEndColumns[]): RowView {
    const head = rowHead(row);
    const payloads = new RowPayloads((id) => this.readPayload(head, id, nodes));
    const payload = this.hasValues || head.status !== 'Completed' ? this.parse(rowEndPlace(row)) : {};
    const { reader } = payloads;
    return {
      ...head,
      inputs: this.hasValues ? (reader.inputs(payload) ?? {}) : {},
      outputs: this.hasValues ? reader.outputs(payload) : {},
      error: payload.x?.['error'] as RowRun['error'] | undefined,
      ...this.readNodes(nodes, payloads),
    };
  }

  private readNodes(nodes: readonly NodeEndColumns[], payloads: RowPayloads): Pick<RowView, 'nodes' | 'records'> {
    const ends: ReadEnd[] = [];
    const records = new Map<string, ReadRecord>();
    for (const columns of nodes) {
      const node = this.wanted.get(columns[2]) as WantedNode;
      const own = node.isWanted ? payloads.of(columns[2]) : undefined;
      if (node.isEndWanted) ends.push(readEnd(columns, node, own));
      if (own === undefined) continue;
      const cache = own.x?.['cache'] as NodeRun['cache'] | undefined;
      const output = payloads.reader.output(own);
      records.set(node.name, { node: node.name, status: statusOf(columns[3]), output, cache });
    }
    return { nodes: ends, records };
  }

  private readPayload({ line, repeat }: RowId, id: number, nodes: readonly NodeEndColumns[]): Payload {
    const end =
      nodes.find((columns) => columns[2] === id) ??
      (this.selectNode.get(line, repeat, id) as unknown as NodeEndColumns | undefined);
    if (end === undefined || !isNodeEndSound(end)) throw rowDamage(this.source.path, { line, repeat }, recordDamaged);
    return this.parse(nodeEndPlace(end));
  }

  private parse(place: PayloadPlace): Payload {
    return parsePayload(this.segments.read(place));
  }
}

/** Payloads of one row's nodes, each parsed once, when it is wanted or another one refers to it. */
class RowPayloads {
  readonly reader = new PayloadReader((id) => this.of(id));
  private readonly parsed = new Map<number, Payload>();
  private readonly read: (id: number) => Payload;

  constructor(read: (id: number) => Payload) {
    this.read = read;
  }

  of(id: number): Payload {
    const known = this.parsed.get(id);
    if (known !== undefined) return known;
    const payload = this.read(id);
    this.parsed.set(id, payload);
    return payload;
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

function rowKey(line: number, repeat: number): number {
  return line * 2 ** 20 + repeat;
}

function wantedNodes({ names }: RecordSource, { nodes, ends = [] }: RecordProjection): ReadonlyMap<number, WantedNode> {
  const [wanted, endWanted] = [new Set(nodes), new Set(ends)];
  const named = [...names.all()].map(([id, { name, kind }]) => {
    return [id, { name, kind, isWanted: wanted.has(name), isEndWanted: endWanted.has(name) }] as const;
  });
  return new Map(named.filter(([, { isWanted, isEndWanted }]) => isWanted || isEndWanted));
}
