import { Float } from '../value/float.ts';
import type { Value, Values } from '../value/json.ts';

export function isMapping(value: Value | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
}
