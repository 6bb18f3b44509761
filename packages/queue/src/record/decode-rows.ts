import {
  type NodeRun,
  type ReadEnd,
  type ReadRecord,
  type RecordDigest,
  type RecordProjection,
  type RowRun,
  type RowSummary,
  type RowView,
  RunDamageError,
} from '@unroll/engine';
import {
  nodeRun,
  nodeSummary,
  type Payload,
  PayloadReader,
  parsePayload,
  readEnd,
  readRowDigests,
  recordDigest,
  rowHead,
  rowRun,
  statusOf,
} from '@unroll/engine/record-format';
import type { ChunkRow } from './read-chunks.ts';
import { placeOfNode, placeOfRow, type StoredNode, type StoredRow, type ValuePlace } from './stored-records.ts';
import type { NodeName } from './stored-run.ts';

/** What rows are read with. */
export interface RowSource {
  nameOf(id: number): NodeName;
  /** @throws RunDamageError */
  textAt(place: ValuePlace): string;
}

/** A row that ended. */
export type EndedRow = ChunkRow & { readonly row: StoredRow };

/** Reads what one row holds; each value is parsed once, when it is wanted or another one refers to it. */
export class RowDecoder {
  private readonly found: ChunkRow;
  private readonly source: RowSource;
  private readonly parsed = new Map<number, Payload>();
  private readonly reader: PayloadReader;

  constructor(found: ChunkRow, source: RowSource) {
    this.found = found;
    this.source = source;
    this.reader = new PayloadReader((id) => this.payload(this.nodeOf(id)));
  }

  /** @throws RunDamageError */
  nodes(): readonly NodeRun[] {
    return this.found.nodes.map((end) => nodeRun(end, this.source.nameOf(end[2]), this.payload(end), this.reader));
  }

  /** @throws RunDamageError */
  row(): RowRun | undefined {
    const { row } = this.found;
    if (row === undefined) return undefined;
    return rowRun(row, parsePayload(this.source.textAt(placeOfRow(row))), this.reader);
  }

  /** @throws RunDamageError */
  view(row: StoredRow, { nodes, ends = [], values = true }: RecordProjection): RowView {
    const status = statusOf(row[2]);
    const payload = values || status !== 'Completed' ? parsePayload(this.source.textAt(placeOfRow(row))) : {};
    const named = this.found.nodes.map((end) => [this.source.nameOf(end[2]).name, end] as const);
    const wanted = named.filter(([name]) => nodes.includes(name));
    return {
      ...rowHead(row),
      inputs: values ? (this.reader.inputs(payload) ?? {}) : {},
      outputs: values ? this.reader.outputs(payload) : {},
      error: payload.x?.['error'] as RowRun['error'] | undefined,
      nodes: named.flatMap(([name, end]) => (ends.includes(name) ? [this.end(end, nodes.includes(name))] : [])),
      records: new Map(wanted.map(([name, end]) => [name, this.record(name, end)])),
    };
  }

  /** @throws RunDamageError */
  digests(): readonly RecordDigest[] {
    const { line, repeat, nodes, digests } = this.found;
    const known = digests === undefined ? undefined : readRowDigests(digests);
    if (known === undefined || !nodes.every(([, , id]) => known.has(id))) return this.nodes().map(recordDigest);
    return nodes.map(([, , id, status]) => {
      const { outputHash, inputsHash, fingerprint } = known.get(id) as NonNullable<ReturnType<typeof known.get>>;
      const { name: node } = this.source.nameOf(id);
      const digest = { line, repeat, node, status: statusOf(status), outputHash, inputsHash };
      return fingerprint == null ? digest : { ...digest, fingerprint };
    });
  }

  private end(end: StoredNode, isRead: boolean): ReadEnd {
    return readEnd(end, this.source.nameOf(end[2]), isRead ? this.payload(end) : undefined);
  }

  private record(node: string, end: StoredNode): ReadRecord {
    const payload = this.payload(end);
    const cache = payload.x?.['cache'] as NodeRun['cache'] | undefined;
    return { node, status: statusOf(end[3]), output: this.reader.output(payload), cache };
  }

  private nodeOf(id: number): StoredNode {
    const end = this.found.nodes.find(([, , node]) => node === id);
    if (end === undefined)
      throw new RunDamageError({ message: 'a value in it is missing, which one of its nodes gave' });
    return end;
  }

  private payload(end: StoredNode): Payload {
    const known = this.parsed.get(end[2]);
    if (known !== undefined) return known;
    const payload = parsePayload(this.source.textAt(placeOfNode(end)));
    this.parsed.set(end[2], payload);
    return payload;
  }
}

/** How a row and its nodes ended, from the narrow columns alone. */
export function rowSummary({ row, nodes }: EndedRow, source: Pick<RowSource, 'nameOf'>): RowSummary {
  const ends = nodes.map((end) => nodeSummary(end, source.nameOf(end[2])));
  return { ...rowHead(row), nodes: ends };
}
