import type { SliceGate } from '../eval-file/eval-spec.ts';
import type { EvalResult, GateResult, MetricResult, SliceMetric } from '../eval-result/eval-result.ts';
import { count, listed } from '../report/markup.ts';
import { sliceText } from '../report/slice-text.ts';
import { exactText } from '../score-run/exact-text.ts';
import { besideBounds } from '../score-run/judge-gate.ts';
import { comparisonText, isDataOther, notHeldText, otherDataReason } from './judge-baseline.ts';
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
  // As of the whole: a metric that is new is held to nothing yet.
  const notHeld = isCompared ? notHeldText(metric, result) : undefined;
  const judging = judgingOf(metric, gate, isCompared && notHeld === undefined);
  if (notHeld !== undefined && !judging.hasBounds) return { passed: true, reason: notHeld };
  const judged = all.filter(judging.isJudged);
  const notes = [...notesOf(all, judging, result), ...(notHeld === undefined ? [] : [notHeld])];
  if (judged.length === 0) return { passed: false, reason: ['no slice is judged', ...notes].join('; ') };
  const wrong = judged.flatMap((one) => judging.complaintOf(one) ?? []);
  const found = wrong.length === 0 ? keptText(judged.length, slices) : complaintsText(wrong);
  return { passed: wrong.length === 0, reason: [found, ...notes].join('; ') };
}

interface Judging {
  /** Scores of a slice, or rows that the baseline has too, that it takes to judge it. */
  readonly least: number;
  readonly hasBounds: boolean;
  readonly isCompared: boolean;
  /** By its bounds, or by the baseline. */
  isJudged(slice: OwnSlice): boolean;
  /** Whether the baseline has enough of its rows. */
  isHeld(slice: OwnSlice): boolean;
  complaintOf(slice: OwnSlice): string | undefined;
}

function judgingOf(metric: MetricResult, { min, max, rows: least = 1 }: SliceGate, isCompared: boolean): Judging {
  const { unit } = metric;
  const bounds = [min, max].filter((bound) => bound !== undefined);
  const isBounded = ({ found }: OwnSlice): boolean => bounds.length > 0 && found.scored >= least;
  const isHeld = ({ found: { comparison } }: OwnSlice): boolean =>
    isCompared && comparison !== undefined && comparison.pairs >= least;
  const beyond = ({ name, found: { mean, scored } }: OwnSlice): string | undefined => {
    if (mean === null) return undefined;
    const found = `in ${name} the mean of ${count(scored, 'score')} is ${exactText(besideBounds(mean, bounds), unit)}`;
    if (min !== undefined && mean < min) return `${found}, below ${exactText(min, unit)}`;
    return max !== undefined && mean > max ? `${found}, above ${exactText(max, unit)}` : undefined;
  };
  const worse = ({ name, found: { comparison } }: OwnSlice): string | undefined =>
    comparison?.verdict === 'worse'
      ? `in ${name} significantly worse: ${comparisonText(comparison, metric)}`
      : undefined;
  return {
    ...{ least, hasBounds: bounds.length > 0, isCompared, isHeld },
    isJudged: (slice) => isBounded(slice) || isHeld(slice),
    complaintOf: (slice) =>
      (isBounded(slice) ? beyond(slice) : undefined) ?? (isHeld(slice) ? worse(slice) : undefined),
  };
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

/** What nobody is to take for judged. */
function notesOf(all: readonly OwnSlice[], judging: Judging, { slices = [] }: EvalResult): readonly string[] {
  const { least, hasBounds, isCompared, isJudged, isHeld } = judging;
  const lacking = hasBounds ? 'scores' : 'rows in the baseline';
  const leftOut = slices.flatMap(({ column, leftOut: of }) =>
    of === undefined ? [] : [`${count(of.values, 'more value')} of ${column}, in ${count(of.rows, 'row')}, not judged`],
  );
  return [
    ...wantText(
      'judged',
      lacking,
      least,
      all.filter((one) => !isJudged(one)),
    ),
    ...wantText(
      'compared',
      'rows in the baseline',
      least,
      isCompared ? all.filter((one) => isJudged(one) && !isHeld(one)) : [],
    ),
    ...leftOut,
  ];
}

/** `not judged for want of scores (5 are asked for): lang fr, lang de`. */
function wantText(
  what: 'judged' | 'compared',
  lacking: string,
  least: number,
  slices: readonly OwnSlice[],
): readonly string[] {
  if (slices.length === 0) return [];
  const told = slices.slice(0, mostTold).map(({ name }) => name);
  const more = slices.length - told.length;
  const names = listed(more === 0 ? told : [...told, count(more, 'more slice')]);
  return [`not ${what} for want of ${lacking}${least === 1 ? '' : ` (${least} are asked for)`}: ${names}`];
}
