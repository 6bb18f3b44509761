import type { Value, Values } from '@unroll/engine';

export function isMapping(value: Value | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Number);
}
