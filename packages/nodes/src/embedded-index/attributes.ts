import type { FilterValue, JsonObject, JsonValue } from '@unroll/engine';
import { Float } from '@unroll/engine/values';

/** A value as SQLite compares it: texts with texts, numbers with numbers; truth values and all others are bytes. */
export type Stored = string | number | Uint8Array;

export interface Attribute {
  readonly field: string;
  readonly value: Stored;
}

/** Longer texts are told to be there and cannot be asked for. In UTF-16 units. */
export const longestAttribute = 200;

const other = new Uint8Array([0xff]);

/** The fields of a document, one row for each value; a list gives one for each member. */
export function attributesOf(fields: JsonObject): readonly Attribute[] {
  const found = new Map<string, Attribute>();
  for (const [field, value] of Object.entries(fields)) {
    if (value === null) continue;
    const members: readonly JsonValue[] = Array.isArray(value) && value.length > 0 ? value : [value];
    for (const stored of members.map(storedForm)) {
      found.set(`${field}\0${typeof stored}\0${String(stored)}`, { field, value: stored });
    }
  }
  return [...found.values()];
}

function storedForm(value: JsonValue): Stored {
  if (value instanceof Float) return value.valueOf();
  if (typeof value === 'string') return value.length > longestAttribute ? other : value;
  return typeof value === 'number' || typeof value === 'boolean' ? storedValue(value) : other;
}

export function storedValue(value: FilterValue): Stored {
  return typeof value === 'boolean' ? new Uint8Array([value ? 1 : 0]) : value;
}
