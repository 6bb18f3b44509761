import type { NodeError, Value } from '@unroll/engine';

/** What reading a property of a handle gave. */
export type HandleRead =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: NodeError };

/** The worker side of a handle: where the object lives. */
export interface HandleOwner {
  readProperty(id: number, path: string): Promise<HandleRead>;
}

/**
 * A Python object that JSON cannot carry. It lives in the worker that made it; in records it prints as its `repr`.
 * Nothing of it is enumerable, so that it is one opaque value to whatever walks a record.
 */
export class PythonHandle {
  readonly #id: number;
  readonly #repr: string;
  readonly #typeName: string;
  readonly #owner: HandleOwner;

  constructor(id: number, repr: string, typeName: string, owner: HandleOwner) {
    this.#id = id;
    this.#repr = repr;
    this.#typeName = typeName;
    this.#owner = owner;
    PythonHandle.#anyMade = true;
  }

  static #anyMade = false;

  /** Whether any handle was ever made: where none was, values need not be searched for them. */
  static get anyMade(): boolean {
    return PythonHandle.#anyMade;
  }

  /** Number of the object in its worker. */
  static idOf(handle: PythonHandle): number {
    return handle.#id;
  }

  static ownerOf(handle: PythonHandle): HandleOwner {
    return handle.#owner;
  }

  /** Name of the object's class. */
  static typeNameOf(handle: PythonHandle): string {
    return handle.#typeName;
  }

  toJSON(): string {
    return this.#repr;
  }

  toString(): string {
    return this.#repr;
  }
}

/** Follows a property path (`field.a[0]`) into a Python object, in the worker that holds it. */
export function resolvePythonHandle(handle: PythonHandle, path: string): Promise<HandleRead> {
  return PythonHandle.ownerOf(handle).readProperty(PythonHandle.idOf(handle), path);
}

/** Replaces handles by what the worker reads as one, anywhere in a value; the same value when there are none. */
export function withHandleMarks(value: Value, mark: string, owners: Set<HandleOwner>): Value {
  const current: unknown = value;
  if (typeof current !== 'object' || current === null || current instanceof Number) return value;
  if (current instanceof PythonHandle) {
    owners.add(PythonHandle.ownerOf(current));
    return { [mark]: PythonHandle.idOf(current) };
  }
  if (Array.isArray(current)) return current.map((item: Value) => withHandleMarks(item, mark, owners));
  const entries = Object.entries(current as { readonly [key: string]: Value });
  return Object.fromEntries(entries.map(([key, item]) => [key, withHandleMarks(item, mark, owners)]));
}

/** Puts handles where the worker wrote their marks. */
export function readHandleMarks(
  value: Value,
  mark: string,
  make: (id: number, repr: string, type: string) => unknown,
): Value {
  if (typeof value !== 'object' || value === null || value instanceof Number) return value;
  if (Array.isArray(value)) return value.map((item: Value) => readHandleMarks(item, mark, make));
  const mapping = value as { readonly [key: string]: Value };
  const marked = mapping[mark] as { readonly id: number; readonly repr: string; readonly type: string } | undefined;
  if (marked !== undefined) return make(marked.id, marked.repr, marked.type) as Value;
  return Object.fromEntries(Object.entries(mapping).map(([key, item]) => [key, readHandleMarks(item, mark, make)]));
}
