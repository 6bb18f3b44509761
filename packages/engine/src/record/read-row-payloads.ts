import type { StatementSync } from 'node:sqlite';
import type { PathResult, ValuePath } from '../value/get-path.ts';
import type { JsonValue } from '../value/json.ts';
import type { ValueReference } from './known-values.ts';
import type { RowRun } from './node-run.ts';
import { PayloadBytes } from './payload-bytes.ts';
import type { PayloadPlace, SegmentReader } from './segments.ts';
import { isNodeEndSound, type NodeEndColumns, nodeEndPlace, recordDamaged, rowDamage } from './stored-ends.ts';

/** A node's place and, once it was looked at, its payload. */
export interface NodePayload extends PayloadPlace {
  readonly id: number;
  payload: PayloadBytes | undefined;
}

/** What payloads of all rows are read with. */
export interface PayloadReading {
  readonly segments: SegmentReader;
  /** A row of `node_ends` by line, repeat and node, as a list. */
  readonly selectEnd: StatementSync;
  readonly path: string;
}

/** Payloads of one row, each looked at once, when it is asked for or another one refers to it. */
export class RowPayloads {
  private readonly reading: PayloadReading;
  private readonly row: PayloadPlace & { readonly line: number; readonly repeat: number };
  private readonly known: readonly NodePayload[];
  private readonly others: NodePayload[] = [];
  private ofRow: PayloadBytes | undefined;

  /**
   * @param row with the place of its own payload
   * @param known nodes whose places need not be looked up
   */
  constructor(reading: PayloadReading, row: RowPayloads['row'], known: readonly NodePayload[]) {
    this.reading = reading;
    this.row = row;
    this.known = known;
  }

  rowInputs(): RowRun['inputs'] {
    return this.rowPayload().fields('inputs', (reference) => this.follow(reference)) ?? {};
  }

  rowOutputs(): RowRun['outputs'] {
    return this.rowPayload().fields('output', (reference) => this.follow(reference)) ?? {};
  }

  rowRest(name: string): JsonValue | undefined {
    return this.rowPayload().rest(name);
  }

  /** As `getPath`, in the outputs of the row. */
  reachOutputs(path: ValuePath): PathResult | undefined {
    const payload = this.rowPayload();
    const reference = payload.outputsReference(String(path[0]));
    return reference === undefined ? payload.reachOutput(path) : this.reachMember(reference, path);
  }

  /** As `getPath`, in the output of a node. */
  reachOutput(node: NodePayload, path: ValuePath): PathResult | undefined {
    const payload = this.payloadOf(node);
    const reference = payload.outputReference;
    return reference === undefined ? payload.reachOutput(path) : this.reachReferred(reference, path);
  }

  rest(node: NodePayload, name: string): JsonValue | undefined {
    return this.payloadOf(node).rest(name);
  }

  private rowPayload(): PayloadBytes {
    this.ofRow ??= this.bytesAt(this.row);
    return this.ofRow;
  }

  private reachInputs(node: NodePayload, path: ValuePath): PathResult | undefined {
    const payload = this.payloadOf(node);
    const reference = payload.inputReference(String(path[0]));
    return reference === undefined ? payload.reachInputs(path) : this.reachMember(reference, path);
  }

  /** @param path its first step is the name that the reference stands for */
  private reachMember(reference: ValueReference, path: ValuePath): PathResult | undefined {
    const reached = this.reachReferred(reference, path.slice(1));
    return reached === undefined ? undefined : { value: reached.value, steps: reached.steps + 1 };
  }

  private reachReferred(reference: ValueReference, path: ValuePath): PathResult | undefined {
    const node = this.nodeOf(reference[0]);
    const steps = reference.length - 2;
    const whole = [...(reference.slice(2) as (string | number)[]), ...path];
    const reached = reference[1] === 0 ? this.reachOutput(node, whole) : this.reachInputs(node, whole);
    const isThere = reached === undefined ? path.length > 0 : reached.steps >= steps;
    if (!isThere) throw new Error(`bug: nothing is recorded at ${JSON.stringify(reference)}`);
    return reached === undefined ? undefined : { value: reached.value, steps: reached.steps - steps };
  }

  private follow(reference: ValueReference): JsonValue {
    return (this.reachReferred(reference, []) as PathResult).value;
  }

  private payloadOf(node: NodePayload): PayloadBytes {
    node.payload ??= this.bytesAt(node);
    return node.payload;
  }

  private bytesAt(place: PayloadPlace): PayloadBytes {
    return new PayloadBytes(this.reading.segments, place);
  }

  private nodeOf(id: number): NodePayload {
    for (const node of this.known) if (node.id === id) return node;
    for (const node of this.others) if (node.id === id) return node;
    const { line, repeat } = this.row;
    const end = this.reading.selectEnd.get(line, repeat, id) as unknown as NodeEndColumns | undefined;
    if (end === undefined || !isNodeEndSound(end)) throw rowDamage(this.reading.path, this.row, recordDamaged);
    const node: NodePayload = { ...nodeEndPlace(end), id, payload: undefined };
    this.others.push(node);
    return node;
  }
}
