import type { StatementSync } from 'node:sqlite';
import type { Value } from '../value/json.ts';
import { type Payload, PayloadReader, parsePayload } from './decode-record.ts';
import type { NodeRun, RowRun } from './node-run.ts';
import type { PayloadPlace, SegmentReader } from './segments.ts';

interface NodePlace extends PayloadPlace {
  readonly id: number;
}

/** Payloads of one row, each read once, when it is asked for or another one refers to it. */
export class RowPayloads {
  private readonly segments: SegmentReader;
  private readonly selectPlace: StatementSync;
  private readonly line: number;
  private readonly repeat: number;
  private readonly known: readonly NodePlace[];
  private readonly payloads = new Map<number, Payload>();
  private readonly reader = new PayloadReader((id) => this.payloadOf(id));
  private ofRow: Payload | undefined;

  /** @param known nodes whose places need not be looked up */
  constructor(
    segments: SegmentReader,
    selectPlace: StatementSync,
    line: number,
    repeat: number,
    known: readonly NodePlace[],
  ) {
    this.segments = segments;
    this.selectPlace = selectPlace;
    this.line = line;
    this.repeat = repeat;
    this.known = known;
  }

  rowInputs(place: PayloadPlace): RowRun['inputs'] {
    return this.reader.inputs(this.rowPayload(place)) ?? {};
  }

  rowOutputs(place: PayloadPlace): RowRun['outputs'] {
    return this.reader.outputs(this.rowPayload(place));
  }

  rowRest(place: PayloadPlace): Pick<RowRun, 'error'> {
    return (this.rowPayload(place).x ?? {}) as Pick<RowRun, 'error'>;
  }

  output(place: NodePlace): Value | undefined {
    return this.reader.output(this.payloadAt(place));
  }

  rest(place: NodePlace): Pick<NodeRun, 'cache'> {
    return (this.payloadAt(place).x ?? {}) as Pick<NodeRun, 'cache'>;
  }

  private rowPayload(place: PayloadPlace): Payload {
    this.ofRow ??= parsePayload(this.segments.read(place));
    return this.ofRow;
  }

  private payloadOf(id: number): Payload {
    return this.payloadAt(this.known.find((one) => one.id === id) ?? this.placeOf(id));
  }

  private payloadAt(place: NodePlace): Payload {
    const known = this.payloads.get(place.id);
    if (known !== undefined) return known;
    const payload = parsePayload(this.segments.read(place));
    this.payloads.set(place.id, payload);
    return payload;
  }

  private placeOf(id: number): NodePlace {
    const place = this.selectPlace.get(this.line, this.repeat, id) as unknown as PayloadPlace | undefined;
    if (place === undefined) throw new Error(`bug: node ${id} is referred to and not recorded`);
    return { ...place, id };
  }
}
