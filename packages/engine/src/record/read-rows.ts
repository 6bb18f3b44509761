import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Payload, PayloadReader, parsePayload } from './decode-record.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import type { NodeEnd, ReadRecord, ReadRow, WantedRecords } from './run-store.ts';
import type { PayloadPlace, SegmentReader } from './segments.ts';
import { statusOf } from './status-number.ts';

/** Rows that are read at once. */
const chunk = 256;

/**
 * Rows with what is wanted of them, some hundred at a time. What is not wanted is not read, but for payloads that a wanted
 * one refers to.
 */
export function* readRows(
  database: DatabaseSync,
  segments: SegmentReader,
  { nodes: names, values = false, ends = false }: WantedRecords,
): Generator<ReadRow> {
  const nodes = namedNodes(database, names);
  const read = new Map([...nodes].filter(([, { isWanted }]) => ends || isWanted));
  const endsBetween = nodeReader(database, read);
  const selectPlace = database.prepare('SELECT place, size FROM node_ends WHERE line = ? AND repeat = ? AND node = ?');
  for (const rows of rowChunks(database)) {
    const ofRows = endsBetween(rows[0]?.line ?? 0, rows.at(-1)?.line ?? 0);
    for (const { place, size, ...end } of rows) {
      const own = ofRows.get(placeKey(end)) ?? [];
      const payloads = new RowPayloads(segments, selectPlace, end, own);
      yield {
        ...end,
        nodes: ends ? own.map(nodeEnd) : [],
        ...(values ? payloads.values({ place, size }) : undefined),
        records: payloads.records(),
      };
    }
  }
}

interface Place {
  readonly line: number;
  readonly repeat: number;
}

interface NamedNode {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly isWanted: boolean;
}

interface NodeRow extends PayloadPlace {
  readonly node: NamedNode;
  readonly status: NodeRun['status'];
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

type RowPlace = Omit<ReadRow, 'nodes' | 'records' | 'inputs' | 'outputs' | 'error'> & PayloadPlace;

/** Payloads of one row, each read once. */
class RowPayloads {
  private readonly segments: SegmentReader;
  private readonly selectPlace: StatementSync;
  private readonly row: Place;
  private readonly ends: readonly NodeRow[];
  private readonly payloads = new Map<number, Payload>();
  private readonly reader = new PayloadReader((node) => this.payloadOf(node));

  constructor(segments: SegmentReader, selectPlace: StatementSync, row: Place, ends: readonly NodeRow[]) {
    this.segments = segments;
    this.selectPlace = selectPlace;
    this.row = row;
    this.ends = ends;
  }

  values(place: PayloadPlace): Pick<ReadRow, 'inputs' | 'outputs' | 'error'> {
    const payload = parsePayload(this.segments.read(place));
    const { error } = (payload.x ?? {}) as Pick<RowRun, 'error'>;
    return {
      inputs: this.reader.inputs(payload) ?? {},
      outputs: this.reader.outputs(payload),
      ...(error === undefined ? {} : { error }),
    };
  }

  records(): ReadonlyMap<string, ReadRecord> {
    const records = new Map<string, ReadRecord>();
    for (const end of this.ends) if (end.node.isWanted) records.set(end.node.name, this.record(end));
    return records;
  }

  private record({ node, status, startedAt, durationMs }: NodeRow): ReadRecord {
    const { line, repeat } = this.row;
    const payload = this.payloadOf(node.id);
    const output = this.reader.output(payload);
    return {
      line,
      ...(repeat === 0 ? undefined : { repeat }),
      node: node.name,
      kind: node.kind,
      status,
      ...(output === undefined ? undefined : { output }),
      ...(startedAt === null ? undefined : { startedAt }),
      ...(durationMs === null ? undefined : { durationMs }),
      ...(payload.x as Partial<NodeRun> | undefined),
    };
  }

  private payloadOf(node: number): Payload {
    const known = this.payloads.get(node);
    if (known !== undefined) return known;
    const place = this.ends.find((end) => end.node.id === node) ?? this.placeOf(node);
    const payload = parsePayload(this.segments.read(place));
    this.payloads.set(node, payload);
    return payload;
  }

  private placeOf(node: number): PayloadPlace {
    const { line, repeat } = this.row;
    const place = this.selectPlace.get(line, repeat, node) as unknown as PayloadPlace | undefined;
    if (place === undefined) throw new Error(`bug: node ${node} is referred to and not recorded`);
    return place;
  }
}

function namedNodes(database: DatabaseSync, wanted: readonly string[]): ReadonlyMap<number, NamedNode> {
  const names = new Set(wanted);
  const rows = database.prepare('SELECT id, name, kind FROM nodes').all() as unknown as readonly NamedNode[];
  return new Map(rows.map((node) => [node.id, { ...node, isWanted: names.has(node.name) }]));
}

/** Columns as lists: a name for each of a million values would take longer than all the rest. */
function prepareLists(database: DatabaseSync, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

type Optional = number | null;
type RowColumns = readonly [number, number, number, Optional, Optional, number, number, number];
type NodeColumns = readonly [number, number, number, number, Optional, Optional, Optional, Optional, number, number];

function* rowChunks(database: DatabaseSync): Generator<readonly RowPlace[]> {
  const select = prepareLists(
    database,
    `SELECT line, repeat, status, started_at, duration_ms, unfinished, place, size FROM row_ends
     WHERE (line, repeat) > (?, ?) ORDER BY line, repeat LIMIT ${chunk}`,
  );
  let last: Place = { line: -1, repeat: 0 };
  for (;;) {
    const rows = (select.all(last.line, last.repeat) as unknown as readonly RowColumns[]).map(rowPlace);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1) ?? last;
  }
}

function rowPlace([line, repeat, status, startedAt, durationMs, unfinished, place, size]: RowColumns): RowPlace {
  return {
    line,
    repeat,
    status: statusOf(status) as RowRun['status'],
    startedAt: startedAt ?? 0,
    durationMs: durationMs ?? 0,
    isUnfinished: unfinished > 0,
    place,
    size,
  };
}

/** Reads the nodes of the rows of some lines, by `placeKey`. */
function nodeReader(
  database: DatabaseSync,
  nodes: ReadonlyMap<number, NamedNode>,
): (first: number, last: number) => ReadonlyMap<number, readonly NodeRow[]> {
  if (nodes.size === 0) return () => new Map();
  const select = prepareLists(
    database,
    `SELECT line, repeat, node, status, started_at, duration_ms, prompt_tokens, completion_tokens, place, size
     FROM node_ends WHERE line BETWEEN ? AND ? AND node IN (${[...nodes.keys()].join(', ')})`,
  );
  return (first, last) => {
    const groups = new Map<number, NodeRow[]>();
    for (const columns of select.all(first, last) as unknown as readonly NodeColumns[]) {
      const [line, repeat, id] = columns;
      const key = placeKey({ line, repeat });
      const group = groups.get(key);
      const row = nodeRow(nodes.get(id) as NamedNode, columns);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
    return groups;
  };
}

function placeKey({ line, repeat }: Place): number {
  return line * 2 ** 20 + repeat;
}

function nodeRow(
  node: NamedNode,
  [, , , status, startedAt, durationMs, promptTokens, completionTokens, place, size]: NodeColumns,
): NodeRow {
  return { node, status: statusOf(status), startedAt, durationMs, promptTokens, completionTokens, place, size };
}

function nodeEnd({ node, status, durationMs, promptTokens, completionTokens }: NodeRow): NodeEnd {
  const end = { node: node.name, kind: node.kind, status, ...(durationMs === null ? undefined : { durationMs }) };
  if (promptTokens === null || completionTokens === null) return end;
  return { ...end, usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens } };
}
