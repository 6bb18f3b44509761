import type { JsonObject, JsonValue } from './json.ts';

/** Where something stands: in an input of a node, or in its output where none is named. */
interface ValuePlace {
  readonly input?: string;
  /** Keys of mappings, places in lists. */
  readonly path: readonly (string | number)[];
}

/**
 * A list or a mapping that stands in two places and is one. Of the output: in an input as it is when the node has ended, or elsewhere in the
 * output. Of an input that code changed: where it was before, or, where it is new, elsewhere in what is changed (`path` begins with the input).
 */
export interface SharedPlace {
  readonly at: ValuePlace;
  readonly from: ValuePlace;
}

/** The output as it was given: one object where it was one, which its JSON tells as two. */
export function withSharedPlaces(output: JsonValue, shared: readonly SharedPlace[], inputs: JsonObject): JsonValue {
  const links = new Links();
  for (const { at, from } of shared) {
    if (at.input !== undefined) continue;
    if (from.input === undefined) links.add(at.path, { path: from.path });
    else links.add(at.path, { object: valueAt(from, inputs) });
  }
  return links.in(output);
}

/** Inputs that code changed, with one object where it left one in several places of all that it was given. @param given before it did */
export function changedTogether(changed: JsonObject, shared: readonly SharedPlace[], given: JsonObject): JsonObject {
  const first = new Map<string, ValuePlace['path']>();
  const links = new Links();
  for (const { at, from } of shared) {
    if (at.input === undefined) continue;
    const path = [at.input, ...at.path];
    if (from.input === undefined) {
      links.add(path, { path: from.path });
      continue;
    }
    const before = JSON.stringify(from);
    const known = first.get(before);
    if (!Object.hasOwn(changed, from.input)) links.add(path, { object: valueAt(from, given) });
    else if (known === undefined) first.set(before, path);
    else links.add(path, { path: known });
  }
  return links.in(changed) as JsonObject;
}

/** What stands at a place: an object, or what stands at another place of the value. */
type Link = { readonly path: ValuePlace['path'] } | { readonly object: JsonValue | undefined };

/** Places of a value whose object stands elsewhere. */
class Links {
  private readonly links = new Map<string, Link>();
  /** Places with links in them. */
  private readonly above = new Set<string>();

  add(path: ValuePlace['path'], link: Link): void {
    this.links.set(keyOf(path), link);
    for (let levels = 0; levels < path.length; levels += 1) this.above.add(keyOf(path.slice(0, levels)));
  }

  /** The value with one object where there are links, also in objects that are linked themselves. */
  in(value: JsonValue): JsonValue {
    return this.links.size === 0 ? value : this.built(value, [], new Map());
  }

  /** @param made what was built, by its place: what several places refer to is built once */
  private built(root: JsonValue, path: ValuePlace['path'], made: Map<string, JsonValue>): JsonValue {
    const key = keyOf(path);
    const known = made.get(key);
    if (known !== undefined) return known;
    const own = valueAt({ path }, {}, root) ?? null;
    // Where a damaged record tells places that stand in each other, what comes back to one finds it as it was.
    made.set(key, own);
    const link = this.links.get(key);
    const linked = link !== undefined && 'path' in link ? this.built(root, link.path, made) : link?.object;
    const build = (member: string): JsonValue => this.built(root, [...path, member], made);
    const value = isContainer(linked) ? linked : this.above.has(key) ? withMembers(own, build) : own;
    made.set(key, value);
    return value;
  }
}

/** Keys that are whole numbers in Python are texts in JSON. */
function keyOf(path: ValuePlace['path']): string {
  return JSON.stringify(path.map(String));
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return typeof value === 'object' && value !== null;
}

/** The value itself where its members stay what they are. */
function withMembers(value: JsonValue, build: (member: string) => JsonValue): JsonValue {
  if (!isContainer(value)) return value;
  const keys = Object.keys(value).filter((key) => isContainer((value as JsonObject)[key]));
  const built = keys
    .map((key) => [key, build(key)] as const)
    .filter(([key, one]) => one !== (value as JsonObject)[key]);
  if (built.length === 0) return value;
  if (!Array.isArray(value)) return { ...value, ...Object.fromEntries(built) };
  const members = [...value];
  for (const [key, one] of built) members[Number(key)] = one;
  return members;
}

/** What stood in inputs before code changed them, with what it is now. */
export function movedValues(
  shared: readonly SharedPlace[],
  before: JsonObject,
  now: JsonObject,
): readonly (readonly [before: JsonValue, now: JsonValue])[] {
  return shared.flatMap(({ at, from }) => {
    if (at.input === undefined || from.input === undefined) return [];
    const [old, one] = [valueAt(from, before), valueAt(at, now)];
    return old === undefined || one === undefined ? [] : [[old, one] as const];
  });
}

function valueAt({ input, path }: ValuePlace, inputs: JsonObject, output?: JsonValue): JsonValue | undefined {
  let value = input === undefined ? output : inputs[input];
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}
