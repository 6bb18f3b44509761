import { programChange } from '../attribute-changes/program-change.ts';
import { partsText } from '../diff-runs/parts-text.ts';
import type { Language } from '../diff-runs/verdict.ts';
import type {
  DefinitionChange,
  EvalResult,
  FirstWorseGroup,
  MetricResult,
  ResultComparison,
} from '../eval-result/eval-result.ts';
import { count, listed } from './markup.ts';
import { worseSlicesText } from './slice-text.ts';
import { type ScoreVerdictWords, scoreVerdictWords } from './verdict-words.ts';

/** What a reader must know of an evaluation, a sentence each: its gates, how it compares, what is bad first, and why. */
export function verdictSentences(result: EvalResult): readonly string[] {
  const slices = worseSlicesText(result);
  return [
    ...gateSentence(result),
    ...comparisonSentences(result),
    ...(slices === undefined ? [] : [slices]),
    ...firstBadSentences(result),
  ];
}

/** Whether no gate fails. */
export function isPassed({ metrics }: EvalResult): boolean {
  return metrics.every(({ gate }) => gate?.passed !== false);
}

/**
 * Metrics without a gate that scored not one row: where something failed in one, or where no metric has a score at all. Such an
 * evaluation says nothing, as if it had not been made.
 */
export function metricsWithoutScores({ metrics, rows }: EvalResult): readonly MetricResult[] {
  const without = metrics.filter(({ summary, gate }) => summary.scored === 0 && gate === undefined);
  if (rows.total > 0 && without.length === metrics.length) return without;
  return without.filter(({ summary }) => summary.errors > 0);
}

/** `1 of 2 gates fails: right.`; nothing where there is no gate. */
export function gateSentence({ metrics }: EvalResult): readonly string[] {
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

/** How the metrics compare, and which rows have no other. */
export function comparisonSentences(
  { metrics, baseline, comparison }: EvalResult,
  given: { readonly before?: string; readonly language?: Language } = {},
): readonly string[] {
  const words = scoreVerdictWords[given.language ?? 'en'];
  const { before = words.baseline } = given;
  if (baseline === undefined) return [];
  const found = metrics.flatMap(({ comparison: of }) => of?.verdict ?? []);
  const verdicts = (['worse', 'better', 'not significant', 'same'] as const).flatMap((verdict) => {
    const number = found.filter((one) => one === verdict).length;
    return number === 0 ? [] : [[verdict, number] as const];
  });
  // Told where not every row of the two has its other.
  const isWhole = comparison === undefined || comparison.onlyBefore + comparison.onlyAfter === 0;
  return [
    ...(verdicts.length === 0 ? [] : [words.compared(found.length, before, verdicts)]),
    ...(isWhole ? [] : [words.pairs(comparison, before)]),
  ];
}

/** Metrics that bear the name of one before and are not measured as that was: each such difference as a sentence. */
export function measureSentences(
  { comparison }: EvalResult,
  given: { readonly before?: string; readonly language?: Language } = {},
): readonly string[] {
  const words = scoreVerdictWords[given.language ?? 'en'];
  const { before = words.baseline } = given;
  const { otherKinds = [], turned = [], measuredOtherwise = [] } = comparison ?? {};
  return [
    ...(otherKinds.length === 0 ? [] : [words.otherKinds(otherKinds, before)]),
    ...(turned.length === 0 ? [] : [words.turned(turned, before)]),
    ...(measuredOtherwise.length === 0 ? [] : [words.measuredOtherwise(measuredOtherwise)]),
  ];
}

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
export function worseText({ metric, kind, rows }: FirstWorseGroup, language: Language = 'en'): string {
  const words = scoreVerdictWords[language];
  return kind === 'worse' ? words.worse(metric, rows) : words.unscored(metric, rows);
}

/** `Cause: function (data knowledge/faq.jsonl changed).` */
export function causeSentence(
  { causes }: FirstWorseGroup,
  comparison: ResultComparison,
  language: Language = 'en',
): string {
  const words = scoreVerdictWords[language];
  const program = programText(comparison);
  if (causes === undefined) return words.causeUnknown(program);
  if (causes.length === 0) return withoutDefinition(comparison, program, words);
  const named = causes.map((name) => {
    const change = comparison.changes?.find(({ node }) => node === name);
    return change === undefined ? name : words.changed(name, changeText(change, language));
  });
  return words.causes([...named, ...(program === undefined ? [] : [program])]);
}

/** `Unroll 0.1.0 (build 4f1c2a9b03de) → 0.1.1 (build 9a33e0c1d752)`; undefined where that did not change. */
export function programText({ madeWith }: ResultComparison): string | undefined {
  const change = programChange(madeWith?.before, madeWith?.after);
  return change === undefined ? undefined : partsText([change]);
}

function withoutDefinition(
  { madeWith }: ResultComparison,
  program: string | undefined,
  words: ScoreVerdictWords,
): string {
  if (program !== undefined) return words.onlyProgram(program);
  return words.noDefinition(madeWith?.before !== undefined && madeWith.after !== undefined);
}

export function changeText({ change, parts }: DefinitionChange, language: Language = 'en'): string {
  return change === 'changed' ? partsText(parts, language) : scoreVerdictWords[language][change];
}

/** Who answers for a metric, as `class name` in lists of tests: the node it measures, else where it is read. */
export function measuredAt({ node, on }: MetricResult): string {
  return node ?? (on === '' ? 'row' : on);
}
