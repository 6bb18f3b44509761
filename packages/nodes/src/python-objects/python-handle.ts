import { type JsonObject, type JsonValue, type OnPiece, packValue, type RemoteRead, RemoteValue } from '@unroll/engine';
import type { ObjectPath } from './object-path.ts';

/** What giving an object came to, with what code has to report that only ran for it. */
export type GivenRead = RemoteRead & { readonly report?: JsonObject };

/** The worker side of a handle: where the object lives. */
export interface HandleOwner {
  readProperty(id: number, path: string, at?: ObjectPath): Promise<RemoteRead>;
  /** What an object holds as templates see it; `at`: where in the object with that number. */
  describe(id: number, at: ObjectPath, names: readonly string[]): Promise<RemoteRead>;
  /** Whether the object is equal to a value. */
  equals(id: number, at: ObjectPath, other: JsonValue): Promise<RemoteRead>;
  /**
   * The object as JSON; of an iterator the texts of the items that are left, joined, each told as it comes.
   *
   * @param signal aborted once nobody waits for it
   * @param at where in the object with that number
   */
  give(id: number, onPiece?: OnPiece, signal?: AbortSignal, at?: ObjectPath): Promise<GivenRead>;
  /** The object as a text that any worker makes it of again; no value where that cannot be. */
  pack(id: number): Promise<RemoteRead>;
  /** The items an iterator gave so far. */
  taken(id: number): Promise<RemoteRead>;
}

/** What a worker tells of an object it keeps; `str` where it is not the same as `repr`. */
export interface KeptObject {
  readonly id: number;
  readonly repr: string;
  readonly str?: string;
  /** Name of the object's class. */
  readonly type: string;
  /** A generator, whose items are taken down as it gives them. */
  readonly stream?: boolean;
  /** Any other iterator: nothing is taken down of it. */
  readonly iterates?: boolean;
}

/**
 * A Python object that JSON cannot carry. It lives in the worker that made it; in records it prints as its `repr`.
 * Nothing of it is enumerable, so that it is one opaque value to whatever walks a record.
 */
export class PythonHandle extends RemoteValue {
  readonly #kept: KeptObject;
  readonly #owner: HandleOwner;
  #lateReport: JsonObject | undefined;

  constructor(kept: KeptObject, owner: HandleOwner) {
    super();
    this.#kept = kept;
    this.#owner = owner;
  }

  /** Number of the object in its worker. */
  static idOf(handle: PythonHandle): number {
    return handle.#kept.id;
  }

  static ownerOf(handle: PythonHandle): HandleOwner {
    return handle.#owner;
  }

  override get className(): string {
    return this.#kept.type;
  }

  get isStream(): boolean {
    return this.#kept.stream === true;
  }

  override get comesInPieces(): boolean {
    return this.isStream || this.#kept.iterates === true;
  }

  read(path: string): Promise<RemoteRead> {
    return this.#owner.readProperty(this.#kept.id, path);
  }

  override describe(names: readonly string[]): Promise<RemoteRead> {
    return this.#owner.describe(this.#kept.id, [], names);
  }

  override equals(other: JsonValue): Promise<RemoteRead> {
    return this.#owner.equals(this.#kept.id, [], other);
  }

  async give(onPiece?: OnPiece, signal?: AbortSignal): Promise<RemoteRead> {
    const { report, ...read } = await this.#owner.give(this.#kept.id, onPiece, signal);
    if (report !== undefined) this.#lateReport = report;
    return read;
  }

  override get lateReport(): JsonObject | undefined {
    return this.#lateReport;
  }

  /** A stream is no part of an output, in Python's own words. */
  override async giveInside(signal?: AbortSignal): Promise<RemoteRead> {
    if (!this.comesInPieces) return this.give(undefined, signal);
    const message = `Object of type ${this.#kept.type} is not JSON serializable`;
    return { ok: false, error: { type: 'TypeError', message } };
  }

  override async pack(): Promise<JsonValue> {
    const packed = await this.#owner.pack(this.#kept.id);
    return packed.ok ? (new PackedObject(this, String(packed.value)) as unknown as JsonValue) : this.toJSON();
  }

  async taken(): Promise<JsonValue> {
    const taken = await this.#owner.taken(this.#kept.id);
    return taken.ok ? taken.value : this.#kept.repr;
  }

  /** Python's `repr` of the object. */
  toJSON(): string {
    return this.#kept.repr;
  }

  /** Python's `str` of the object. */
  override toString(): string {
    return this.#kept.str ?? this.#kept.repr;
  }
}

/** A text that Python code is given as a generator of its pieces, as Prompt flow gives the answer of a model in a stream. */
export class TextPieces {
  readonly pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    this.pieces = pieces;
  }
}

/** What a prompt node rendered: to Python's code a text of Prompt flow's class for it. */
export class PromptText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A Python object that any worker can make again. */
export class PackedObject extends RemoteValue {
  readonly #handle: PythonHandle;
  readonly #packed: string;
  readonly isStream = false;

  constructor(handle: PythonHandle, packed: string) {
    super();
    this.#handle = handle;
    this.#packed = packed;
  }

  static textOf(object: PackedObject): string {
    return object.#packed;
  }

  async read(path: string): Promise<RemoteRead> {
    const read = await this.#handle.read(path);
    return read.ok ? { ok: true, value: await packValue(read.value) } : read;
  }

  give(onPiece?: OnPiece, signal?: AbortSignal): Promise<RemoteRead> {
    return this.#handle.give(onPiece, signal);
  }

  taken(): Promise<JsonValue> {
    return this.#handle.taken();
  }

  toJSON(): string {
    return this.#handle.toJSON();
  }

  override toString(): string {
    return this.#handle.toString();
  }
}
