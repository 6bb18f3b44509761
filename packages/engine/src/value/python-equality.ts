import { Float } from './float.ts';

/**
 * Python's `==` on values: `1 == 1.0 == True`, `"1" != 1`, lists and mappings by their members. How `activate`
 * compares; see docs/decisions/0002-python-equality.md.
 */
export function pythonEquals(left: unknown, right: unknown): boolean {
  const a = asNumber(left);
  const b = asNumber(right);
  // biome-ignore lint/suspicious/noDoubleEquals: an int beyond 2^53 is a bigint, and 2 == 2n
  if (a !== undefined || b !== undefined) return a !== undefined && b !== undefined && a == b;
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) return equalLists(left, right);
  return equalMappings(left as Record<string, unknown>, right as Record<string, unknown>);
}

function asNumber(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Float ? value.valueOf() : undefined;
}

function equalLists(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  return left.every((item, index) => pythonEquals(item, right[index]));
}

function equalMappings(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && pythonEquals(left[key], right[key]));
}
