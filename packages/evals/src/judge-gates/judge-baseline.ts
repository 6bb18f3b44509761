import type { GateSpec } from '../eval-file/eval-spec.ts';
import type { EvalResult, GateResult, MetricComparison, MetricResult } from '../eval-result/eval-result.ts';
import { count } from '../report/markup.ts';
import { pValueText, scoreText, signedText } from '../report/score-text.ts';
import { exactText } from '../score-run/exact-text.ts';
import { tooManyErrors } from '../score-run/judge-gate.ts';
import { mergeGates } from './merge-gates.ts';

/** Whether a gate holds its metric, or slices of it, to a baseline. */
export function asksBaseline(gate: GateSpec | undefined): boolean {
  return gate?.noWorseThan !== undefined || gate?.eachSlice?.noWorseThan !== undefined;
}

/** What of a metric's gate asks for a baseline. */
export type BaselineGate = Partial<Pick<GateSpec, 'noWorseThan' | 'margin' | 'errors'>>;

/**
 * Judges the gates that ask for a baseline, beside what a metric's own bounds came to.
 *
 * @param result compared with its baseline
 * @param gateOf by the name of a metric
 */
export function judgeBaseline(result: EvalResult, gateOf: (metric: string) => BaselineGate | undefined): EvalResult {
  const metrics = result.metrics.map((metric) => {
    const gate = gateOf(metric.name);
    if (gate?.noWorseThan === undefined) return metric;
    return { ...metric, gate: mergeGates(metric.gate, judged(metric, gate, result)) };
  });
  return { ...result, metrics };
}

function judged(metric: MetricResult, { margin, errors = 0 }: BaselineGate, result: EvalResult): GateResult {
  const rule =
    margin === undefined
      ? 'no worse than baseline'
      : `no worse than baseline by more than ${exactText(margin, metric.unit)}`;
  const { comparison, summary } = metric;
  if (summary.mean === null) return { rule, passed: false, reason: 'nothing was scored' };
  if (summary.errors > errors) return { rule, passed: false, reason: tooManyErrors(summary.errors, errors) };
  if (isDataOther(result)) {
    return { rule, passed: false, reason: otherDataReason };
  }
  if (comparison !== undefined) return { rule, ...compared(comparison, { metric, margin }) };
  const notHeld = notHeldText(metric, result);
  return notHeld === undefined
    ? { rule, passed: false, reason: 'no row is scored both in the baseline and now' }
    : { rule, passed: true, reason: notHeld };
}

/** Why a metric is held to nothing yet: the baseline has no such scores. Nothing where it has. */
export function notHeldText({ name }: MetricResult, { comparison }: EvalResult): string | undefined {
  if (comparison?.newMetrics.includes(name) !== true) return undefined;
  return comparison.otherKinds?.includes(name) === true
    ? 'the baseline has scores of another kind; accepting a new one guards it from then on'
    : 'the baseline has no scores of it; accepting a new one guards it from then on';
}

export const otherDataReason = 'the data changed since the baseline was accepted and no key tells which row is which';

/** Whether rows are paired by their numbers though others may stand under them. */
export function isDataOther({ comparison }: EvalResult): boolean {
  return comparison?.dataChanged === true && comparison.pairedBy === 'line';
}

function compared(
  comparison: MetricComparison,
  { metric, margin }: { readonly metric: MetricResult; readonly margin: number | undefined },
): Pick<GateResult, 'passed' | 'reason'> {
  const worse = (metric.better === 'higher' ? -1 : 1) * comparison.difference;
  const compared = comparisonText(comparison, metric);
  if (margin !== undefined) {
    const isBeyond = worse > margin + 1e-12;
    return {
      passed: !isBeyond,
      reason: isBeyond ? `worse by more than ${exactText(margin, metric.unit)}: ${compared}` : compared,
    };
  }
  if (comparison.verdict === 'worse') return { passed: false, reason: `significantly worse: ${compared}` };
  return { passed: true, reason: compared };
}

/** `0.95 → 0.62 over 60 rows (-0.33, 95 % interval -0.45 to -0.21, p < 0.001; 0 fixed, 20 broken)`. */
export function comparisonText(comparison: MetricComparison, metric: Pick<MetricResult, 'unit' | 'kind'>): string {
  const { before, after, pairs, difference, interval, adjustedPValue, verdict, flips, rowsNeeded, lost } = comparison;
  const rows = count(pairs, 'row');
  const gone = lost === undefined ? '' : `; ${count(lost, 'row')} scored before, not now`;
  if (verdict === 'same') return `the same ${scoreText(after, metric)} in each of ${rows}${gone}`;
  const parts = [
    signedText(difference, metric),
    ...(interval === undefined
      ? []
      : [`95 % interval ${signedText(interval.low, metric)} to ${signedText(interval.high, metric)}`]),
    pValueText(adjustedPValue),
  ].join(', ');
  const turned = flips === undefined ? '' : `; ${flips.fixed} fixed, ${flips.broken} broken`;
  const unsure =
    verdict === 'not significant'
      ? `; not significant${rowsNeeded === undefined ? '' : `, about ${rowsNeeded} rows would tell`}`
      : '';
  return `${scoreText(before, metric)} → ${scoreText(after, metric)} over ${rows} (${parts}${turned}${unsure}${gone})`;
}
