import type {
  NodeRun,
  ReadEnd,
  ReadRecord,
  RecordDigest,
  RecordProjection,
  RowRun,
  RowSummary,
  RowView,
  Usage,
} from '@unroll/engine';
import {
  type Payload,
  PayloadReader,
  parsePayload,
  readRowDigests,
  recordDigest,
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
    return this.found.nodes.map((end) => {
      const [line, repeat, id, status, startedAt, durationMs] = end;
      const payload = this.payload(end);
      const [inputs, output] = [this.reader.inputs(payload), this.reader.output(payload)];
      const { name: node, kind } = this.source.nameOf(id);
      return {
        line,
        ...(repeat === 0 ? {} : { repeat }),
        node,
        kind,
        status: statusOf(status),
        ...(inputs === undefined ? {} : { inputs }),
        ...(output === undefined ? {} : { output }),
        ...(startedAt === null ? {} : { startedAt }),
        ...(durationMs === null ? {} : { durationMs }),
        ...(payload.f === undefined ? {} : { fingerprint: payload.f }),
        ...(payload.x as Partial<NodeRun> | undefined),
      };
    });
  }

  /** @throws RunDamageError */
  row(): RowRun | undefined {
    const { row } = this.found;
    if (row === undefined) return undefined;
    const [line, repeat, status, startedAt, durationMs] = row;
    const payload = parsePayload(this.source.textAt(placeOfRow(row)));
    return {
      line,
      ...(repeat === 0 ? {} : { repeat }),
      status: statusOf(status) as RowRun['status'],
      inputs: this.reader.inputs(payload) ?? {},
      outputs: this.reader.outputs(payload),
      startedAt: startedAt ?? 0,
      durationMs: durationMs ?? 0,
      ...(payload.x as Partial<RowRun> | undefined),
    };
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
    const [, , id, status, , durationMs, promptTokens, completionTokens] = end;
    const { name: node, kind } = this.source.nameOf(id);
    const usage = usageOf(promptTokens, completionTokens);
    const told = isRead ? (this.payload(end).x?.['usage'] as unknown as Usage | undefined) : undefined;
    return { node, kind, status: statusOf(status), durationMs: durationMs ?? undefined, usage: told ?? usage };
  }

  private record(node: string, end: StoredNode): ReadRecord {
    const payload = this.payload(end);
    const cache = payload.x?.['cache'] as NodeRun['cache'] | undefined;
    return { node, status: statusOf(end[3]), output: this.reader.output(payload), cache };
  }

  private nodeOf(id: number): StoredNode {
    const end = this.found.nodes.find(([, , node]) => node === id);
    if (end === undefined) throw new Error(`bug: row ${this.found.line} refers to node ${id}, which has no record`);
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
  const ends = nodes.map(([, , id, status, , durationMs, promptTokens, completionTokens]) => {
    const { name: node, kind } = source.nameOf(id);
    const usage = usageOf(promptTokens, completionTokens);
    const end = { node, kind, status: statusOf(status), ...(durationMs === null ? {} : { durationMs }) };
    return usage === undefined ? end : { ...end, usage };
  });
  return { ...rowHead(row), nodes: ends };
}

function rowHead([line, repeat, status, startedAt, durationMs, unfinished]: StoredRow): Omit<RowSummary, 'nodes'> {
  return {
    line,
    repeat,
    status: statusOf(status) as RowRun['status'],
    startedAt: startedAt ?? 0,
    durationMs: durationMs ?? 0,
    isUnfinished: unfinished > 0,
  };
}

function usageOf(promptTokens: number | null, completionTokens: number | null): Usage | undefined {
  if (promptTokens === null || completionTokens === null) return undefined;
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}
