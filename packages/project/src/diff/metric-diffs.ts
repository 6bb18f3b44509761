import { type JsonObject, type JsonValue, ownValue, pythonEquals } from '@unroll/engine';
import type { MetricDiff } from './diff-report.ts';

/** What aggregation nodes logged otherwise in the second run, in the order of the first one, then what the second has more. */
export function metricDiffs(left: JsonObject, right: JsonObject): readonly MetricDiff[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names
    .map((name) => ({ name, left: ownValue(left, name), right: ownValue(right, name) }))
    .filter((one) => !isSame(one.left, one.right));
}

/** `3.0` and `3` are, and so is what is no number in both. */
function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return Object.is(left, right) || (left !== undefined && right !== undefined && pythonEquals(left, right));
}
