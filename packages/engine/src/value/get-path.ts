import type { JsonValue } from './json.ts';
import { ownValue } from './own-value.ts';
import { isMapping } from './shapes.ts';

/** Keys of mappings and indexes of lists, from the end where negative. */
export type ValuePath = readonly (string | number)[];

/** What a path leads to as far as it does: through mappings by their keys and through lists by their indexes. */
export interface PathResult {
  readonly value: JsonValue;
  /** How many steps of the path lead there; the next one is of another kind than the value. */
  readonly steps: number;
}

/** undefined where a mapping has no such key, or a list no such index. */
export function getPath(value: JsonValue, path: ValuePath): PathResult | undefined {
  let current = value;
  for (const [steps, step] of path.entries()) {
    let next: JsonValue | undefined;
    if (typeof step === 'number' && Array.isArray(current)) next = current.at(step) as JsonValue | undefined;
    else if (typeof step === 'string' && isMapping(current)) next = ownValue(current, step);
    else return { value: current, steps };
    if (next === undefined) return undefined;
    current = next;
  }
  return { value: current, steps: path.length };
}
