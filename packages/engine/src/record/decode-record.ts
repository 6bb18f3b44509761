import { holdsNumber, type JsonObject, type JsonValue, parseJsonWith } from '../value/json.ts';
import type { ValueReference } from './known-values.ts';
import { RunDamageError } from './run-file-error.ts';
import { recordDamaged } from './stored-ends.ts';

/** A payload as `encode-record.ts` wrote it, its references still to be followed. */
export interface Payload {
  readonly i?: JsonObject;
  readonly r?: Readonly<Record<string, ValueReference>>;
  readonly o?: JsonValue;
  readonly p?: ValueReference;
  readonly q?: Readonly<Record<string, ValueReference>>;
  readonly x?: JsonObject;
  readonly f?: string;
}

/**
 * @throws RunDamageError where the text is none: the bytes of a file are sound, but what names their place may be another file's
 */
export function parsePayload(text: string): Payload {
  if (!text.startsWith('{')) throw notOneRecord();
  try {
    return parseJsonWith(text, (plain) => holdsOwnNumber(plain as unknown as Payload)) as unknown as Payload;
  } catch (error) {
    throw error instanceof SyntaxError ? notOneRecord() : error;
  }
}

function notOneRecord(): RunDamageError {
  return new RunDamageError({ message: recordDamaged });
}

/** Beside those of references, and the zeros that stand for what is referred to. */
function holdsOwnNumber({ i = {}, r, o, x }: Payload): boolean {
  for (const name in i) if (r?.[name] === undefined && holdsNumber(i[name])) return true;
  return holdsNumber(o) || hasOtherNumber(x);
}

/** Tokens of calls are whole numbers. */
function hasOtherNumber(rest: JsonObject | undefined): boolean {
  for (const name in rest) if (name !== 'usage' && holdsNumber(rest[name])) return true;
  return false;
}

/** Follows references within one row. `find` gives the payload of a node of that row. */
export class PayloadReader {
  private readonly find: (node: number) => Payload;
  private readonly followed = new Map<Payload, { inputs?: JsonObject | undefined; output?: JsonValue | undefined }>();

  constructor(find: (node: number) => Payload) {
    this.find = find;
  }

  inputs(payload: Payload): JsonObject | undefined {
    const seen = this.seen(payload);
    seen.inputs ??= payload.i === undefined ? undefined : this.fill(payload.i, payload.r);
    return seen.inputs;
  }

  /** One alone: another input of the same node may refer to it. */
  private input({ i, r }: Payload, name: string): JsonValue | undefined {
    const reference = r?.[name];
    return reference === undefined ? i?.[name] : this.follow(reference);
  }

  /** Output of a node; undefined where it gave none. */
  output(payload: Payload): JsonValue | undefined {
    const seen = this.seen(payload);
    seen.output ??= payload.p === undefined ? payload.o : this.follow(payload.p);
    return seen.output;
  }

  /** Outputs of a row. */
  outputs(payload: Payload): JsonObject {
    return this.fill((payload.o ?? {}) as JsonObject, payload.q);
  }

  private seen(payload: Payload): { inputs?: JsonObject | undefined; output?: JsonValue | undefined } {
    const seen = this.followed.get(payload) ?? {};
    this.followed.set(payload, seen);
    return seen;
  }

  private fill(values: JsonObject, references: Readonly<Record<string, ValueReference>> | undefined): JsonObject {
    if (references === undefined) return values;
    const filled: Record<string, JsonValue> = { ...values };
    for (const [name, reference] of Object.entries(references)) filled[name] = this.follow(reference);
    return filled;
  }

  private follow([node, part, ...steps]: ValueReference): JsonValue {
    const payload = this.find(node);
    const [name = '', ...within] = steps;
    let value = part === 0 ? this.output(payload) : this.input(payload, String(name));
    for (const step of part === 0 ? steps : within)
      value = (value as Readonly<Record<string | number, JsonValue>> | undefined)?.[step];
    if (value === undefined) throw new Error(`bug: nothing is recorded at ${JSON.stringify([node, part, ...steps])}`);
    return value;
  }
}
