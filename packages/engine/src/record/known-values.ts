import { type JsonValue, stringifyJson } from '../value/json.ts';
import type { PrintedDigests } from './row-digests.ts';

/** Where else in its row a value is recorded: the node's id, 0 for its output or 1 for its inputs, then keys and indexes. */
export type ValueReference = readonly [node: number, part: 0 | 1, ...steps: (string | number)[]];

export interface KnownValue {
  readonly reference: ValueReference;
  /** Its JSON. */
  readonly text: string;
}

/** Shorter texts are written again rather than referred to. */
const shortest = 64;
const deepest = 2;
const maxParts = 64;

/**
 * What one row has recorded so far: the digests of its nodes and, by value, large texts and whatever is a list or mapping, outputs down to their parts.
 * What a node gets is mostly what another one gave, or a part of it, and is then recorded as a reference.
 */
export class KnownValues {
  private readonly values = new Map<JsonValue, { readonly reference: ValueReference; text: string | undefined }>();
  /** By id, as `printNodeDigests` makes them. */
  readonly digests = new Map<number, PrintedDigests>();

  find(value: JsonValue): KnownValue | undefined {
    if (!isReferable(value)) return undefined;
    const known = this.values.get(value);
    if (known === undefined) return undefined;
    known.text ??= stringifyJson(value);
    return known as KnownValue;
  }

  /** What is recorded in full at `reference`. */
  add(value: JsonValue, reference: ValueReference, text: string | undefined): void {
    if (isReferable(value) && !this.values.has(value)) this.values.set(value, { reference, text });
  }

  /** The parts of an output, of which later nodes may get one. */
  addParts(value: JsonValue, reference: ValueReference, depth = 1): void {
    if (!isReferable(value) || typeof value === 'string') return;
    const parts: Iterable<readonly [string | number, JsonValue]> = Array.isArray(value)
      ? value.slice(0, maxParts).entries()
      : Object.entries(value as object).slice(0, maxParts);
    for (const [step, part] of parts) {
      if (!isReferable(part)) continue;
      const at: ValueReference = [...reference, step];
      this.add(part, at, undefined);
      if (depth < deepest) this.addParts(part, at, depth + 1);
    }
  }
}

export function isWorthReferring(text: string): boolean {
  return text.length >= shortest;
}

function isReferable(value: JsonValue): boolean {
  return typeof value === 'string' ? value.length >= shortest : typeof value === 'object' && value !== null;
}
