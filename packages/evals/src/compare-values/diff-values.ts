import { alignLists, isMapping, type JsonObject, type JsonValue, ownValue } from '@unroll/engine';
import { sameValue } from './same-value.ts';

/**
 * One place where two values differ. `path` is written as in a flow, `function_results[1].content`, empty for the whole;
 * indexes are those of the right value, of the left one for what was removed. `left` is absent for what was added,
 * `right` for what was removed.
 */
export interface ValueChange {
  readonly path: string;
  readonly left?: JsonValue;
  readonly right?: JsonValue;
}

/**
 * Where two values differ, the smallest parts, in the order of the right value. Lists are aligned, so an item put in
 * front does not change those behind it. JSON inside texts (a model's `arguments`) is stepped into.
 *
 * Own code, no library: the values hold Python's floats and big ints, which the JSON diff libraries take for objects.
 */
export function diffValues(left: JsonValue, right: JsonValue, path = ''): readonly ValueChange[] {
  if (sameValue(left, right)) return [];
  if (Array.isArray(left) && Array.isArray(right)) return diffLists(left, right, path);
  if (isMapping(left) && isMapping(right)) return diffMappings(left, right, path);
  const [leftInside, rightInside] = [insideOf(left), insideOf(right)];
  if (leftInside !== undefined && rightInside !== undefined) {
    const inside = diffValues(leftInside, rightInside, path);
    if (inside.length > 0) return inside;
  }
  return [{ path, left, right }];
}

/** The list or mapping that a text spells out. */
function insideOf(value: JsonValue): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return undefined;
  }
}

function diffMappings(left: JsonObject, right: JsonObject, path: string): readonly ValueChange[] {
  const keys = [...Object.keys(right), ...Object.keys(left).filter((key) => !Object.hasOwn(right, key))];
  return keys.flatMap((key) => diffMember(left, right, key, memberPath(path, key)));
}

function diffMember(left: JsonObject, right: JsonObject, key: string, path: string): readonly ValueChange[] {
  const [one, other] = [ownValue(left, key), ownValue(right, key)];
  if (one === undefined || other === undefined) return [{ path, ...defined('left', one), ...defined('right', other) }];
  return diffValues(one, other, path);
}

function defined(side: 'left' | 'right', value: JsonValue | undefined): Partial<Record<'left' | 'right', JsonValue>> {
  return value === undefined ? {} : { [side]: value };
}

function memberPath(path: string, key: string): string {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

interface Item {
  readonly value: JsonValue;
  readonly index: number;
}

function diffLists(left: readonly JsonValue[], right: readonly JsonValue[], path: string): readonly ValueChange[] {
  const items = (values: readonly JsonValue[]): readonly Item[] => values.map((value, index) => ({ value, index }));
  const stretches = alignLists(items(left), items(right), (one, other) => sameValue(one.value, other.value));
  return stretches.flatMap((stretch) =>
    stretch.kind === 'same' ? [] : diffStretch(stretch.left, stretch.right, path),
  );
}

/** Items that changed are set side by side: those of one `id` first, the rest of one kind in order. */
function diffStretch(left: readonly Item[], right: readonly Item[], path: string): readonly ValueChange[] {
  const rest = [...left];
  const take = (isMatch: (item: Item) => boolean): Item | undefined => {
    const at = rest.findIndex(isMatch);
    return at === -1 ? undefined : rest.splice(at, 1)[0];
  };
  const byId = right.map((item) =>
    idOf(item) === undefined ? undefined : take((other) => idOf(other) === idOf(item)),
  );
  const changes = right.flatMap((item, index) => {
    const partner = byId[index] ?? take((other) => isAlike(item, other));
    const itemPath = `${path}[${item.index}]`;
    return partner === undefined
      ? [{ path: itemPath, right: item.value }]
      : diffValues(partner.value, item.value, itemPath);
  });
  return [...changes, ...rest.map(({ value, index }) => ({ path: `${path}[${index}]`, left: value }))];
}

function isAlike(one: Item, other: Item): boolean {
  const hasId = idOf(one) !== undefined && idOf(other) !== undefined;
  return !hasId && kindOf(one.value) === kindOf(other.value);
}

function idOf({ value }: Item): string | undefined {
  const id = isMapping(value) ? ownValue(value, 'id') : undefined;
  return typeof id === 'string' || typeof id === 'number' ? `${typeof id} ${id}` : undefined;
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'list';
  return isMapping(value) ? 'mapping' : value === null ? 'null' : typeof value;
}
