import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Payload, PayloadReader, parsePayload } from './decode-record.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import { readRowEnds } from './read-row-ends.ts';
import type { ReadRow, RowEnd, WantedRecords } from './run-store.ts';
import type { PayloadPlace, SegmentReader } from './segments.ts';
import { statusOf } from './status-number.ts';

/**
 * Rows with what is wanted of them: ordered reads side by side. What is not wanted is not read, but for payloads that a
 * wanted one refers to.
 */
export function* readRows(
  database: DatabaseSync,
  segments: SegmentReader,
  { nodes, values = false, ends = false }: WantedRecords,
): Generator<ReadRow> {
  const places = valuePlaces(database, values);
  const records = recordGroups(database, nodes);
  const selectPlace = database.prepare('SELECT place, size FROM node_ends WHERE line = ? AND repeat = ? AND node = ?');
  let group = records.next();
  for (const end of ends ? readRowEnds(database) : readPlainEnds(database)) {
    while (group.done !== true && isBefore(group.value, end)) group = records.next();
    const own = group.done !== true && isSame(group.value, end) ? group.value.records : [];
    const row = new RowPayloads(segments, selectPlace, end, own);
    yield { ...end, ...(values ? row.values(places(end)) : {}), records: row.records(own) };
  }
}

interface Place {
  readonly line: number;
  readonly repeat: number;
}

interface RecordRow extends Place, PayloadPlace {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly status: number;
  readonly started_at: number | null;
  readonly duration_ms: number | null;
  readonly fingerprint: string;
}

/** Payloads of one row, each read once. */
class RowPayloads {
  private readonly segments: SegmentReader;
  private readonly selectPlace: StatementSync;
  private readonly row: Place;
  private readonly payloads = new Map<number, Payload>();
  private readonly places: readonly RecordRow[];
  private readonly reader = new PayloadReader((node) => this.payloadOf(node));

  constructor(segments: SegmentReader, selectPlace: StatementSync, row: Place, places: readonly RecordRow[]) {
    this.segments = segments;
    this.selectPlace = selectPlace;
    this.row = row;
    this.places = places;
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

  records(rows: readonly RecordRow[]): ReadonlyMap<string, NodeRun> {
    return new Map(rows.map((row) => [row.name, this.record(row)]));
  }

  private record(row: RecordRow): NodeRun {
    const payload = this.payloadOf(row.id);
    const inputs = this.reader.inputs(payload);
    const output = this.reader.output(payload);
    return {
      line: row.line,
      ...(row.repeat === 0 ? {} : { repeat: row.repeat }),
      node: row.name,
      kind: row.kind,
      status: statusOf(row.status),
      ...(inputs === undefined ? {} : { inputs }),
      ...(output === undefined ? {} : { output }),
      ...(row.started_at === null ? {} : { startedAt: row.started_at }),
      ...(row.duration_ms === null ? {} : { durationMs: row.duration_ms }),
      ...(row.fingerprint === '' ? {} : { fingerprint: row.fingerprint }),
      ...(payload.x as Partial<NodeRun> | undefined),
    };
  }

  private payloadOf(node: number): Payload {
    const known = this.payloads.get(node);
    if (known !== undefined) return known;
    const place = this.places.find(({ id }) => id === node) ?? this.placeOf(node);
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

/** How rows ended, without their nodes. */
function* readPlainEnds(database: DatabaseSync): Generator<RowEnd> {
  const rows = database
    .prepare('SELECT line, repeat, status, started_at, duration_ms, unfinished FROM row_ends ORDER BY line, repeat')
    .iterate() as Iterable<unknown> as Iterable<
    Pick<RecordRow, 'line' | 'repeat' | 'status' | 'started_at' | 'duration_ms'> & { readonly unfinished: number }
  >;
  for (const { line, repeat, status, started_at: startedAt, duration_ms: durationMs, unfinished } of rows) {
    yield {
      line,
      repeat,
      status: statusOf(status) as RowRun['status'],
      startedAt: startedAt ?? 0,
      durationMs: durationMs ?? 0,
      isUnfinished: unfinished > 0,
      nodes: [],
    };
  }
}

/** Where the values of rows lie; to be asked in the order of the rows. */
function valuePlaces(database: DatabaseSync, isWanted: boolean): (row: Place) => PayloadPlace {
  const rows = isWanted
    ? (database.prepare('SELECT line, repeat, place, size FROM row_ends ORDER BY line, repeat').iterate() as Iterator<
        unknown,
        unknown
      > as Iterator<Place & PayloadPlace, unknown>)
    : undefined;
  return (row) => {
    for (let next = rows?.next(); next?.done === false; next = rows?.next()) {
      if (isSame(next.value, row)) return next.value;
    }
    throw new Error(`bug: row ${row.line} has no values`);
  };
}

interface RecordGroup extends Place {
  readonly records: RecordRow[];
}

function* recordGroups(database: DatabaseSync, names: readonly string[]): Generator<RecordGroup> {
  if (names.length === 0) return;
  const rows = database
    .prepare(
      `SELECT line, repeat, nodes.id, nodes.name, nodes.kind, status, started_at, duration_ms,
         lower(hex(fingerprint)) AS fingerprint, place, size
       FROM node_ends JOIN nodes ON nodes.id = node_ends.node
       WHERE nodes.name IN (${names.map(() => '?').join(', ')}) ORDER BY line, repeat`,
    )
    .iterate(...names) as Iterable<unknown> as Iterable<RecordRow>;
  let group: RecordGroup | undefined;
  for (const row of rows) {
    if (group === undefined || !isSame(group, row)) {
      if (group !== undefined) yield group;
      group = { line: row.line, repeat: row.repeat, records: [] };
    }
    group.records.push(row);
  }
  if (group !== undefined) yield group;
}

function isSame(one: Place, other: Place): boolean {
  return one.line === other.line && one.repeat === other.repeat;
}

function isBefore(one: Place, other: Place): boolean {
  return one.line < other.line || (one.line === other.line && one.repeat < other.repeat);
}
