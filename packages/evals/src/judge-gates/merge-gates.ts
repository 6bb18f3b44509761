import type { GateResult } from '../eval-result/eval-result.ts';

/** A gate of several rules passes where all of them do; the first that does not says why. */
export function mergeGates(own: GateResult | undefined, other: GateResult): GateResult {
  if (own === undefined) return other;
  const rule = `${own.rule}, ${other.rule}`;
  const failed = [own, other].find(({ passed }) => !passed);
  return failed === undefined
    ? { rule, passed: true, reason: bothReasons(own.reason, other.reason) }
    : { rule, passed: false, reason: failed.reason };
}

/** What both end with (that the baseline has no such scores) stands once. */
function bothReasons(own: string, other: string): string {
  return other.endsWith(own) ? other : `${own}; ${other}`;
}
