import { type JsonValue, type RowScope, ScopeSlot } from '@unroll/engine';
import type { PythonHandle } from '../python-objects/python-handle.ts';

interface ScalarOriginal {
  readonly value: JsonValue;
  readonly handle: PythonHandle;
}

/** By node, the text or number of a class of its own that it gave: a member of an enum, a number of numpy. */
const given = new ScopeSlot<Map<string, ScalarOriginal>>('python texts and numbers of other classes');

export function keepScalar(row: RowScope, node: string, value: JsonValue, handle: PythonHandle): void {
  row.kept(given, () => new Map()).set(node, { value, handle });
}

/** The object that a node of the row gave, where a value is what JSON has of it. */
export function scalarOriginal(row: RowScope, node: string, value: JsonValue | undefined): PythonHandle | undefined {
  const kept = row.kept(given, () => new Map<string, ScalarOriginal>()).get(node);
  return kept !== undefined && Object.is(kept.value, value) ? kept.handle : undefined;
}
