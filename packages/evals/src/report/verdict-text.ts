import { programChange } from '../attribute-changes/program-change.ts';
import { partsText } from '../diff-runs/parts-text.ts';
import type {
  DefinitionChange,
  EvalResult,
  FirstWorseGroup,
  MetricResult,
  ResultComparison,
} from '../eval-result/eval-result.ts';
import { count, listed } from './markup.ts';

/** What a reader must know of an evaluation, a sentence each: its gates, how it compares, what is bad first, and why. */
export function verdictSentences(result: EvalResult): readonly string[] {
  return [...gateSentence(result), ...comparisonSentence(result), ...firstBadSentences(result)];
}

/** Whether no gate fails. */
export function isPassed({ metrics }: EvalResult): boolean {
  return metrics.every(({ gate }) => gate?.passed !== false);
}

function gateSentence({ metrics }: EvalResult): readonly string[] {
  const gated = metrics.filter(({ gate }) => gate !== undefined);
  const failed = gated.filter(({ gate }) => gate?.passed === false).map(({ name }) => name);
  if (gated.length === 0) return [];
  if (failed.length === 0) return [allPass(gated.length)];
  const which =
    gated.length === 1
      ? 'The gate fails'
      : `${failed.length} of ${gated.length} gates ${failed.length === 1 ? 'fails' : 'fail'}`;
  return [`${which}: ${listed(failed)}.`];
}

function allPass(gates: number): string {
  if (gates === 1) return 'The gate passes.';
  return gates === 2 ? 'Both gates pass.' : `All ${gates} gates pass.`;
}

function comparisonSentence(result: EvalResult): readonly string[] {
  const { metrics, baseline } = result;
  if (baseline === undefined) return [];
  const verdicts = metrics.flatMap(({ comparison }) => comparison?.verdict ?? []);
  const parts = (['worse', 'better', 'not significant', 'same'] as const).flatMap((verdict) => {
    const number = verdicts.filter((one) => one === verdict).length;
    return number === 0 ? [] : [`${number} ${words[verdict]}`];
  });
  return parts.length === 0
    ? pairsSentence(result)
    : [
        `Of ${count(verdicts.length, 'metric')} compared with the baseline: ${parts.join(', ')}.`,
        ...pairsSentence(result),
      ];
}

/** Told where not every row of the two has its other. */
function pairsSentence({ comparison }: EvalResult): readonly string[] {
  if (comparison === undefined || comparison.onlyBefore + comparison.onlyAfter === 0) return [];
  const { paired, pairedBy, onlyBefore, onlyAfter } = comparison;
  const others = [
    ...(onlyBefore === 0 ? [] : [`${count(onlyBefore, 'row')} only in the baseline`]),
    ...(onlyAfter === 0 ? [] : [`${count(onlyAfter, 'row')} only now`]),
  ];
  return [`Compared ${count(paired, 'row')}, paired by ${pairedBy}; ${others.join(', ')}.`];
}

const words = {
  worse: 'worse',
  better: 'better',
  'not significant': 'not to be told from chance',
  same: 'the same in every row',
} as const;

/** The node to look at first. Told where a gate fails, or where something is worse than the baseline. */
function firstBadSentences(result: EvalResult): readonly string[] {
  const { comparison, firstBad } = result;
  const isWorse = result.metrics.some((metric) => metric.comparison?.verdict === 'worse');
  if (isPassed(result) && !isWorse) return [];
  const [worse] = comparison?.firstWorse ?? [];
  if (comparison !== undefined && worse !== undefined) {
    return [`First bad node: ${worse.node} (${worseText(worse)}).`, causeSentence(worse, comparison)];
  }
  const [group] = firstBad;
  if (group === undefined) return [];
  const why = group.kind === 'failed' ? 'failed' : `${group.kind} fails`;
  return [`First bad node: ${group.node} (${why} in ${count(group.rows, 'row')}).`];
}

/** `found is worse in 12 rows`. */
export function worseText({ metric, kind, rows }: FirstWorseGroup): string {
  return kind === 'worse'
    ? `${metric} is worse in ${count(rows, 'row')}`
    : `${metric} has no score any more in ${count(rows, 'row')}`;
}

/** `Cause: function (data knowledge/faq.jsonl changed).` */
export function causeSentence({ causes }: FirstWorseGroup, comparison: ResultComparison): string {
  const program = programText(comparison);
  if (causes === undefined) {
    const possible = program === undefined ? '' : ` A possible one is ${program}.`;
    return `The cause is not known: a run does not tell its definitions.${possible}`;
  }
  if (causes.length === 0) return withoutDefinition(comparison, program);
  const named = causes.map((name) => {
    const change = comparison.changes?.find(({ node }) => node === name);
    return change === undefined ? name : `${name} (${changeText(change)})`;
  });
  const all = [...named, ...(program === undefined ? [] : [program])];
  return `${all.length === 1 ? 'Cause' : 'Possible causes'}: ${all.join('; ')}.`;
}

/** `Unroll 0.1.0 (build 4f1c2a9b03de) → 0.1.1 (build 9a33e0c1d752)`; undefined where that did not change. */
export function programText({ madeWith }: ResultComparison): string | undefined {
  const change = programChange(madeWith?.before, madeWith?.after);
  return change === undefined ? undefined : partsText([change]);
}

function withoutDefinition({ madeWith }: ResultComparison, program: string | undefined): string {
  if (program !== undefined) return `Cause: ${program}; no definition it depends on changed.`;
  const isTold = madeWith?.before !== undefined && madeWith.after !== undefined;
  const others = [
    'other data',
    'a service',
    ...(isTold ? [] : ['another version of Unroll (a run does not tell its own)']),
  ];
  return `No definition it depends on changed: ${others.join(', ')}, or chance.`;
}

export function changeText({ change, parts }: DefinitionChange): string {
  return change === 'changed' ? partsText(parts) : change;
}

/** Who answers for a metric, as `class name` in lists of tests: the node it measures, else where it is read. */
export function measuredAt({ node, on }: MetricResult): string {
  return node ?? (on === '' ? 'row' : on);
}
