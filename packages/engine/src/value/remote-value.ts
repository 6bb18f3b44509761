import type { JsonObject, JsonValue } from './json.ts';
import { isPlainObject } from './plain-object.ts';

/**
 * Told the pieces of a stream as they come.
 *
 * @param item the piece itself, where it is no text
 */
export type OnPiece = (text: string, item?: JsonValue) => void;

/** What asking a live value gave; `error` is class and message of what its world raised. */
export type RemoteRead =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      /** The object itself, where the value is a text or a number of a class of its own. */
      readonly original?: RemoteValue;
    }
  | { readonly ok: false; readonly error: { readonly type: string; readonly message: string } };

/**
 * A value that JSON cannot carry and that lives elsewhere, such as an object of a Python worker. It travels between
 * nodes like any value; only its owner can look into it. In records it prints as text (`toJSON`).
 */
export abstract class RemoteValue {
  static #anyMade = false;

  constructor() {
    RemoteValue.#anyMade = true;
  }

  /** Whether any was ever made: where none was, values need not be searched for them. */
  static get anyMade(): boolean {
    return RemoteValue.#anyMade;
  }

  /** Name of the class that it is of where it lives. */
  get className(): string {
    return 'object';
  }

  abstract toJSON(): string;
  /** See CopiedFrom; most have nothing to tell. */
  describe?(names: readonly string[]): Promise<RemoteRead>;
  equals?(other: JsonValue): Promise<RemoteRead>;
  /** Follows a property path (`field.a[0]`) into it. */
  abstract read(path: string): Promise<RemoteRead>;
  /**
   * As an output of a flow: plain JSON, of an iterator the joined texts of the items that are left, each told as it comes;
   * or why it cannot be.
   *
   * @param signal aborted once nobody waits for it any more: an iterator may have no end
   */
  abstract give(onPiece?: OnPiece, signal?: AbortSignal): Promise<RemoteRead>;
  /** The same as a part of an output. */
  giveInside(signal?: AbortSignal): Promise<RemoteRead> {
    return this.give(undefined, signal);
  }
  /** Whether it gives its items only once, to whoever asks first: its record is written when the row has ended. */
  abstract readonly isStream: boolean;
  /** Whether it is given piece by piece as an output: a stream, and any other iterator. */
  get comesInPieces(): boolean {
    return this.isStream;
  }
  /** What the node that gave it has to report since then: its code runs as the items are asked for. */
  get lateReport(): JsonObject | undefined {
    return undefined;
  }
  /** The items a stream gave so far; its text where they are lost. */
  abstract taken(): Promise<JsonValue>;

  /** The same value, free of the place where it lives; its text where that cannot be. Most need no packing. */
  async pack(): Promise<JsonValue> {
    return this as unknown as JsonValue;
  }
}

/** What a plain value is a copy of that lives elsewhere: its owner knows more of it than JSON tells, fields of a named tuple for instance. */
export interface CopiedFrom {
  /** Follows a property path into the original. */
  read(path: string): Promise<RemoteRead>;
  /** What it holds as templates see it, of objects the attributes of these names; null where it is too much. */
  describe(names: readonly string[]): Promise<RemoteRead>;
  /** Whether it is equal to a plain value, by the rule of its class. */
  equals(other: JsonValue): Promise<RemoteRead>;
  /** What it holds by now, as JSON, or why that is none: code may have changed it since. Undefined where its copy alone is an output. */
  now(): Promise<RemoteRead> | undefined;
  /** Another copy, of what it holds by now; the same one where that is the same, or cannot be told. */
  again(): Promise<JsonValue>;
}

const copies = new WeakMap<object, CopiedFrom>();
let anyCopied = false;

export function rememberCopy(copy: object, original: CopiedFrom): void {
  copies.set(copy, original);
  anyCopied = true;
}

/** Whether there is any owner who may have to be asked: where none is, nothing need be waited for. */
export function mayLiveElsewhere(): boolean {
  return anyCopied || RemoteValue.anyMade;
}

/** Undefined for what is no copy. */
export function copiedFrom(value: unknown): CopiedFrom | undefined {
  return typeof value === 'object' && value !== null ? copies.get(value) : undefined;
}

/** A value with live parts, as its record shows it: one text. */
export class ShownValue extends RemoteValue {
  readonly #value: JsonValue;
  readonly #text: string;
  readonly isStream = false;

  constructor(value: JsonValue, text: string) {
    super();
    this.#value = value;
    this.#text = text;
  }

  toJSON(): string {
    return this.#text;
  }

  override toString(): string {
    return this.#text;
  }

  async read(path: string): Promise<RemoteRead> {
    return { ok: false, error: { type: 'AttributeError', message: path } };
  }

  give(): Promise<RemoteRead> {
    return giveValue(this.#value);
  }

  async taken(): Promise<JsonValue> {
    return this.#text;
  }

  override pack(): Promise<JsonValue> {
    return packValue(this.#value);
  }
}

/** A value whose live parts are packed, so that it can be given to any worker. */
export async function packValue(value: JsonValue): Promise<JsonValue> {
  const current: unknown = value;
  if (current instanceof RemoteValue) return current.pack();
  if (!holdsRemoteValue(value)) return value;
  const entries = Object.entries(current as { readonly [key: string]: JsonValue });
  const packed = await Promise.all(entries.map(async ([key, member]) => [key, await packValue(member)] as const));
  return Array.isArray(current) ? packed.map(([, member]) => member) : Object.fromEntries(packed);
}

/** Whether a value is, or holds, one that lives elsewhere. */
export function holdsRemoteValue(value: unknown): boolean {
  if (!RemoteValue.anyMade || typeof value !== 'object' || value === null) return false;
  return value instanceof RemoteValue || Object.values(value).some(holdsRemoteValue);
}

/** A value as its record holds it at the end of a row: the items that streams in it gave, in their place. */
export async function takenValue(value: JsonValue): Promise<JsonValue> {
  const current: unknown = value;
  if (current instanceof RemoteValue) return current.isStream ? current.taken() : value;
  if (!holdsStream(value)) return value;
  const entries = Object.entries(current as { readonly [key: string]: JsonValue });
  const taken = await Promise.all(entries.map(async ([key, member]) => [key, await takenValue(member)] as const));
  return Array.isArray(current) ? taken.map(([, member]) => member) : Object.fromEntries(taken);
}

/** Whether a value is, or holds, one that gives its items only once. */
export function holdsStream(value: unknown): boolean {
  if (!RemoteValue.anyMade || typeof value !== 'object' || value === null) return false;
  return value instanceof RemoteValue ? value.isStream : Object.values(value).some(holdsStream);
}

/** A value as an output of a flow: what lives elsewhere in it is asked for its JSON, in order; the first refusal counts. */
export async function giveValue(value: JsonValue, onPiece?: OnPiece, signal?: AbortSignal): Promise<RemoteRead> {
  const current: unknown = value;
  if (current instanceof RemoteValue) return current.give(onPiece, signal);
  const now = copiedFrom(value)?.now();
  if (now !== undefined) return now;
  // A picture is no mapping, though it may be the copy of one that a worker has.
  if (!livesElsewhere(value) || !isContainer(current)) return { ok: true, value };
  const entries: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(current as { readonly [key: string]: JsonValue })) {
    const given = await giveInside(member, signal);
    if (!given.ok) return given;
    entries.push([key, given.value]);
  }
  return {
    ok: true,
    value: Array.isArray(current) ? entries.map(([, member]) => member) : Object.fromEntries(entries),
  };
}

/** Whether a value is, or holds, one that lives elsewhere, or the copy of one. */
function livesElsewhere(value: unknown): boolean {
  if (!mayLiveElsewhere() || typeof value !== 'object' || value === null) return false;
  return value instanceof RemoteValue || copies.has(value) || Object.values(value).some(livesElsewhere);
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Array.isArray(value) || isPlainObject(value));
}

function giveInside(value: JsonValue, signal: AbortSignal | undefined): Promise<RemoteRead> {
  const current: unknown = value;
  return current instanceof RemoteValue ? current.giveInside(signal) : giveValue(value, undefined, signal);
}
