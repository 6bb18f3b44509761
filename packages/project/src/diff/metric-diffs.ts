import { type JsonObject, type JsonValue, stringifyJson } from '@unroll/engine';
import type { MetricDiff } from './diff-report.ts';

/** Metrics that nodes over all rows logged, of which two runs have other values: in the order of the left one, then what the right one has more. */
export function metricDiffs(left: JsonObject, right: JsonObject): readonly MetricDiff[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const text = (value: JsonValue | undefined): string => (value === undefined ? '' : stringifyJson(value));
  return names
    .map((name) => ({ name, left: left[name], right: right[name] }))
    .filter((one) => text(one.left) !== text(one.right));
}
