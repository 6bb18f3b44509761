import { imagesIn, type JsonValue, type RemoteRead, RemoteValue, rememberCopy, stringifyJson } from '@unroll/engine';
import type { ObjectPath } from './object-path.ts';
import type { HandleOwner } from './python-handle.ts';

/** Of which object of a worker, and of what place in it, a value is a copy. */
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
