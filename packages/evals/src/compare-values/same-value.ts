import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '@unroll/engine';

/** Whether two values are one as JSON: the order of keys does not matter, 1 and 1.0 are two. */
export function sameValue(left: JsonValue, right: JsonValue): boolean {
  return left === right || isDeepStrictEqual(left, right);
}
