import { getPath, type PathResult, type ValuePath } from '../value/get-path.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import { endInBytes, memberInBytes, reachInBytes } from '../value/json-bytes.ts';
import type { ValueReference } from './known-values.ts';
import { type PayloadPlace, type SegmentReader, startInSegment } from './segments.ts';

/** A payload of which only what is asked for is read: parts in their order, references still to be followed. */
export class PayloadBytes {
  private readonly segments: SegmentReader;
  private readonly place: PayloadPlace;
  private readonly start: number;
  /** Where the values of the letters that were come upon begin, by rank; 0 where there is none. */
  private readonly starts = [0, 0, 0, 0, 0, 0];
  private rank = -1;
  private isReferred = false;
  /** The output or, of a row, the outputs, once they were read whole. */
  private whole: JsonValue | undefined;

  constructor(segments: SegmentReader, place: PayloadPlace) {
    this.segments = segments;
    this.place = place;
    this.start = startInSegment(place);
  }

  /** Not to be kept: a segment's memory is given back when others were read after it. */
  private get bytes(): Buffer {
    return this.segments.bytesWith(this.place);
  }

  /** Where else the output of a node stands; undefined where it is here. */
  get outputReference(): ValueReference | undefined {
    const at = this.startOf(ranks.output);
    return at === 0 || !this.isReferred ? undefined : this.referenceAt(at);
  }

  /** Where else an output of a row stands; undefined where it is here. */
  outputsReference(name: string): ValueReference | undefined {
    return this.referenceIn(ranks.outputReferences, name);
  }

  /** As `getPath`, in the output as it stands here. */
  reachOutput(path: ValuePath): PathResult | undefined {
    if (this.whole !== undefined) return getPath(this.whole, path);
    const reached = this.reach(ranks.output, path);
    if (path.length === 0) this.whole = reached?.value;
    return reached;
  }

  inputReference(name: string): ValueReference | undefined {
    return this.referenceIn(ranks.inputReferences, name);
  }

  /** As `getPath`, in the inputs as they stand here. */
  reachInputs(path: ValuePath): PathResult | undefined {
    return this.reach(ranks.inputs, path);
  }

  /** Inputs and, of a row, outputs; those that stand elsewhere are in place of what is written here. */
  fields(of: 'inputs' | 'output', follow: (reference: ValueReference) => JsonValue): JsonObject | undefined {
    const values = this.reach(ranks[of], [])?.value as JsonObject | undefined;
    const references = this.reach(of === 'inputs' ? ranks.inputReferences : ranks.outputReferences, [])?.value;
    if (values === undefined || references === undefined) return values;
    const filled: Record<string, JsonValue> = { ...values };
    for (const [name, one] of Object.entries(references as JsonObject)) filled[name] = follow(one as ValueReference);
    return filled;
  }

  /** What has no letter of its own. */
  rest(name: string): JsonValue | undefined {
    return this.reach(ranks.rest, [name])?.value;
  }

  private referenceIn(rank: number, name: string): ValueReference | undefined {
    const at = this.startOf(rank);
    const start = at === 0 ? undefined : memberInBytes(this.bytes, at, name);
    return start === undefined ? undefined : this.referenceAt(start);
  }

  /** Small whole numbers and texts: nothing in it needs care. */
  private referenceAt(start: number): ValueReference {
    const { bytes } = this;
    return JSON.parse(bytes.toString('utf8', start, endInBytes(bytes, start))) as ValueReference;
  }

  private reach(rank: number, path: ValuePath): PathResult | undefined {
    const at = this.startOf(rank);
    return at === 0 ? undefined : reachInBytes(this.bytes, at, path);
  }

  private startOf(rank: number): number {
    while (this.rank < rank) this.goOn();
    return this.starts[rank] as number;
  }

  /** Comes upon the next letter. */
  private goOn(): void {
    const { bytes, rank } = this;
    const before = rank < 0 ? this.start : endInBytes(bytes, this.starts[rank] as number);
    if (bytes[before] === closing || bytes[before + 1] === closing) this.rank = ranks.fingerprint;
    else {
      const letter = String.fromCharCode(bytes[before + 2] as number);
      const own = rankOf[letter];
      if (own === undefined || own <= rank) throw new Error(`bug: "${letter}" stands where no payload has it`);
      this.rank = own;
      this.starts[own] = before + 5;
      if (letter === 'p') this.isReferred = true;
    }
  }
}

const closing = 0x7d;

/** In the order in which `encode-record.ts` writes them. */
const ranks = { inputs: 0, inputReferences: 1, output: 2, outputReferences: 3, rest: 4, fingerprint: 5 };
const rankOf: Readonly<Record<string, number>> = { i: 0, r: 1, o: 2, p: 2, q: 3, x: 4, f: 5 };
