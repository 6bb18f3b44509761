import {
  imagesIn,
  type JsonObject,
  type JsonValue,
  type OnPiece,
  packValue,
  type RemoteRead,
  RemoteValue,
  rememberCopy,
  stringifyJson,
} from '@unroll/engine';
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

interface Original {
  readonly owner: HandleOwner;
  readonly id: number;
  /** Where it stands in the object with that number, by what its copy calls the places. */
  readonly path: ObjectPath;
  /** The copy of the whole object: it is kept for as long as that is. */
  readonly whole: object;
}

/** The objects that outputs are copies of, where JSON does not give them again: tuples, keys that are no texts, own classes. */
const originals = new WeakMap<object, Original>();
let hasOriginals = false;

/** @returns false where there is no copy to remember it by */
export function rememberOriginal(copy: unknown, owner: HandleOwner, id: number): boolean {
  if (!isCopy(copy)) return false;
  rememberParts(copy, { owner, id, path: [], whole: copy });
  hasOriginals = true;
  return true;
}

function rememberParts(copy: object, original: Original): void {
  originals.set(copy, original);
  const { owner, id, path } = original;
  rememberCopy(copy, {
    read: (rest) => owner.readProperty(id, rest, path),
    describe: (names) => owner.describe(id, path, names),
    equals: (other) => owner.equals(id, path, other),
    now: () => nowOf(copy, original),
    again: () => againOf(copy, original),
  });
  for (const [key, part] of Object.entries(copy) as [string, unknown][]) {
    const place = Array.isArray(copy) ? Number(key) : key;
    if (isCopy(part)) rememberParts(part, { ...original, path: [...original.path, place] });
  }
}

/** What is of the value itself; whatever else keeps it from being asked leaves its copy. */
const refusals: readonly string[] = ['TypeError', 'ValueError', 'OverflowError', 'RecursionError'];

function nowOf(copy: object, { owner, id, path }: Original): Promise<RemoteRead> | undefined {
  // Images are written by whoever writes the outputs.
  if (imagesIn(copy as JsonValue).length > 0) return undefined;
  const given = owner.give(id, undefined, undefined, path);
  return given.then((read) =>
    read.ok || refusals.includes(read.error.type) ? read : { ok: true, value: copy as JsonValue },
  );
}

async function againOf(copy: object, original: Original): Promise<JsonValue> {
  const now = await nowOf(copy, original);
  const old = copy as JsonValue;
  if (now?.ok !== true || !isCopy(now.value) || stringifyJson(now.value) === stringifyJson(old)) return old;
  rememberParts(now.value, original);
  return now.value;
}

function isCopy(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof RemoteValue) && !(value instanceof Number);
}

/** Of which object of a worker this is a copy. */
export function originalOf(copy: object): Original | undefined {
  return originals.get(copy);
}

/** Whether any output is a copy of something else. */
export function originalsRemembered(): boolean {
  return hasOriginals;
}
