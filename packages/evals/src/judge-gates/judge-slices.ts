import type { SliceGate } from '../eval-file/eval-spec.ts';
import type { EvalResult, GateResult, MetricResult, SliceMetric } from '../eval-result/eval-result.ts';
import { count, listed } from '../report/markup.ts';
import { sliceText } from '../report/slice-text.ts';
import { exactText } from '../score-run/exact-text.ts';
import { besideBounds } from '../score-run/judge-gate.ts';
import { comparisonText, isDataOther, otherDataReason } from './judge-baseline.ts';
import { mergeGates } from './merge-gates.ts';

/**
 * Judges the gates that are asked of each slice, beside what the gate of the whole came to. A slice of too few scores is not judged,
 * which the verdict tells; so are values that are not told apart for their number.
 *
 * @param result with its slices, and compared with its baseline where there is one
 * @param gateOf by the name of a metric
 */
export function judgeSlices(result: EvalResult, gateOf: (metric: string) => SliceGate | undefined): EvalResult {
  const metrics = result.metrics.map((metric) => {
    const gate = gateOf(metric.name);
    if (gate === undefined) return metric;
    const isCompared = result.comparison !== undefined && gate.noWorseThan !== undefined;
    const rule = ruleOf(gate, metric, isCompared);
    if (rule === '') return metric;
    const verdict = verdictOf(metric, gate, { result, isCompared });
    return { ...metric, gate: mergeGates(metric.gate, { rule, ...verdict }) };
  });
  return { ...result, metrics };
}

/** Nothing where all that it asks for is a baseline that there is not: that is told. */
function ruleOf({ min, max }: SliceGate, { unit }: MetricResult, isCompared: boolean): string {
  return [
    ...(min === undefined ? [] : [`min ${exactText(min, unit)} in each slice`]),
    ...(max === undefined ? [] : [`max ${exactText(max, unit)} in each slice`]),
    ...(isCompared ? ['no worse than baseline in each slice'] : []),
  ].join(', ');
}

/** A metric among the rows of a value. */
interface OwnSlice {
  /** `lang ja`. */
  readonly name: string;
  readonly found: SliceMetric;
}

type Verdict = Pick<GateResult, 'passed' | 'reason'>;

function verdictOf(
  metric: MetricResult,
  gate: SliceGate,
  { result, isCompared }: { readonly result: EvalResult; readonly isCompared: boolean },
): Verdict {
  const { slices = [] } = result;
  const all = slices.flatMap(({ column, slices: values }) =>
    values.flatMap((slice): readonly OwnSlice[] => {
      const found = slice.metrics.find(({ name }) => name === metric.name);
      return found === undefined ? [] : [{ name: `${column} ${sliceText(slice)}`, found }];
    }),
  );
  if (all.length === 0)
    return { passed: false, reason: 'it is one figure over all rows, which slices have no part in' };
  if (isCompared && isDataOther(result)) return { passed: false, reason: otherDataReason };
  const { rows: least = 1 } = gate;
  const judged = all.filter(({ found }) => found.scored >= least);
  if (judged.length === 0) return { passed: false, reason: `no slice has ${count(least, 'score')}` };
  const wrong = judged.flatMap((one) => complaintOf(one, gate, { metric, isCompared }) ?? []);
  const notes = notesOf(all, { judged, least, result, isCompared });
  const found = wrong.length === 0 ? keptText(judged.length, slices) : complaintsText(wrong);
  return { passed: wrong.length === 0, reason: [found, ...notes].join('; ') };
}

function complaintOf(
  { name, found: { mean, scored, comparison } }: OwnSlice,
  { min, max }: SliceGate,
  { metric, isCompared }: { readonly metric: MetricResult; readonly isCompared: boolean },
): string | undefined {
  const { unit } = metric;
  const bounds = [min, max].filter((bound) => bound !== undefined);
  const shown = mean === null ? '' : exactText(besideBounds(mean, bounds), unit);
  const found = `in ${name} the mean of ${count(scored, 'score')} is ${shown}`;
  if (mean !== null && min !== undefined && mean < min) return `${found}, below ${exactText(min, unit)}`;
  if (mean !== null && max !== undefined && mean > max) return `${found}, above ${exactText(max, unit)}`;
  if (!isCompared || comparison?.verdict !== 'worse') return undefined;
  return `in ${name} significantly worse: ${comparisonText(comparison, metric)}`;
}

const mostTold = 3;

function complaintsText(complaints: readonly string[]): string {
  const more = complaints.length - mostTold;
  return [...complaints.slice(0, mostTold), ...(more > 0 ? [`and in ${count(more, 'more slice')}`] : [])].join('; ');
}

/** `each of 5 slices by lang and kind keeps to it`. */
function keptText(judged: number, slices: NonNullable<EvalResult['slices']>): string {
  const by = listed(slices.map(({ column }) => column));
  return judged === 1 ? `the one slice by ${by} keeps to it` : `each of ${judged} slices by ${by} keeps to it`;
}

interface Judged {
  readonly judged: readonly OwnSlice[];
  readonly least: number;
  readonly result: EvalResult;
  readonly isCompared: boolean;
}

/** What nobody is to take for judged. */
function notesOf(all: readonly OwnSlice[], { judged, least, result, isCompared }: Judged): readonly string[] {
  const few = all.length - judged.length;
  const fresh = isCompared ? judged.filter(({ found }) => found.comparison === undefined).length : 0;
  const leftOut = (result.slices ?? []).flatMap(({ column, leftOut: of }) =>
    of === undefined ? [] : [`${count(of.values, 'more value')} of ${column}, in ${count(of.rows, 'row')}, not judged`],
  );
  return [
    ...(few === 0 ? [] : [`${count(few, 'slice')} of fewer than ${count(least, 'score')} not judged`]),
    ...(fresh === 0 ? [] : [`${count(fresh, 'slice')} not in the baseline`]),
    ...leftOut,
  ];
}
