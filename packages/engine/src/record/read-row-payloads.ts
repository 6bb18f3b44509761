import type { StatementSync } from 'node:sqlite';
import type { Value } from '../value/json.ts';
import type { ReachedValue, ValuePath } from '../value/reach-value.ts';
import type { ValueReference } from './known-values.ts';
import type { RowRun } from './node-run.ts';
import { PayloadBytes } from './payload-bytes.ts';
import { type PayloadPlace, type SegmentReader, startInSegment } from './segments.ts';

interface NodePlace extends PayloadPlace {
  readonly id: number;
}

/** What payloads of all rows are read with. */
export interface PayloadReading {
  readonly segments: SegmentReader;
  /** Place of a node's payload by line, repeat and node. */
  readonly selectPlace: StatementSync;
}

/** Payloads of one row, each looked up once, when it is asked for or another one refers to it. */
export class RowPayloads {
  private readonly segments: SegmentReader;
  private readonly selectPlace: StatementSync;
  private readonly line: number;
  private readonly repeat: number;
  private readonly place: PayloadPlace;
  private readonly known: readonly NodePlace[];
  private readonly payloads = new Map<number, PayloadBytes>();
  private ofRow: PayloadBytes | undefined;

  /**
   * @param place of the row's own payload
   * @param known nodes whose places need not be looked up
   */
  constructor(
    { segments, selectPlace }: PayloadReading,
    { line, repeat, place, size }: { readonly line: number; readonly repeat: number } & PayloadPlace,
    known: readonly NodePlace[],
  ) {
    this.segments = segments;
    this.selectPlace = selectPlace;
    this.line = line;
    this.repeat = repeat;
    this.place = { place, size };
    this.known = known;
  }

  rowInputs(): RowRun['inputs'] {
    return this.rowPayload().fields('inputs', this.follow) ?? {};
  }

  rowOutputs(): RowRun['outputs'] {
    return this.rowPayload().fields('output', this.follow) ?? {};
  }

  rowRest(name: string): Value | undefined {
    return this.rowPayload().rest(name);
  }

  /** As `reachValue`, in the output of a node. */
  reachOutput(place: NodePlace, path: ValuePath): ReachedValue | undefined {
    return this.reachOutputOf(this.payloadAt(place), path);
  }

  rest(place: NodePlace, name: string): Value | undefined {
    return this.payloadAt(place).rest(name);
  }

  private rowPayload(): PayloadBytes {
    this.ofRow ??= this.bytesAt(this.place);
    return this.ofRow;
  }

  private reachOutputOf(payload: PayloadBytes, path: ValuePath): ReachedValue | undefined {
    const reference = payload.outputReference;
    return reference === undefined ? payload.reachOutput(path) : this.reachReferred(reference, path);
  }

  private reachInputsOf(payload: PayloadBytes, path: ValuePath): ReachedValue | undefined {
    const [name, ...rest] = path;
    const reference = payload.inputReference(String(name));
    if (reference === undefined) return payload.reachInputs(path);
    const reached = this.reachReferred(reference, rest);
    return reached === undefined ? undefined : { ...reached, steps: reached.steps + 1 };
  }

  private reachReferred([node, part, ...steps]: ValueReference, path: ValuePath): ReachedValue | undefined {
    const payload = this.payloadOf(node);
    const whole = [...steps, ...path];
    const reached = part === 0 ? this.reachOutputOf(payload, whole) : this.reachInputsOf(payload, whole);
    const isThere = reached === undefined ? path.length > 0 : reached.steps >= steps.length;
    if (!isThere) throw new Error(`bug: nothing is recorded at ${JSON.stringify([node, part, ...steps])}`);
    return reached === undefined ? undefined : { value: reached.value, steps: reached.steps - steps.length };
  }

  private readonly follow = (reference: ValueReference): Value =>
    (this.reachReferred(reference, []) as ReachedValue).value;

  private payloadOf(id: number): PayloadBytes {
    return this.payloadAt(this.known.find((one) => one.id === id) ?? this.placeOf(id));
  }

  private payloadAt(place: NodePlace): PayloadBytes {
    const known = this.payloads.get(place.id);
    if (known !== undefined) return known;
    const payload = this.bytesAt(place);
    this.payloads.set(place.id, payload);
    return payload;
  }

  private bytesAt(place: PayloadPlace): PayloadBytes {
    return new PayloadBytes(this.segments.bytesWith(place), startInSegment(place));
  }

  private placeOf(id: number): NodePlace {
    const place = this.selectPlace.get(this.line, this.repeat, id) as unknown as PayloadPlace | undefined;
    if (place === undefined) throw new Error(`bug: node ${id} is referred to and not recorded`);
    return { ...place, id };
  }
}
