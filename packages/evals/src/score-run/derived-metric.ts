import { type Diagnostic, didYouMean } from '@unroll/engine';
import { problem } from '../eval-file/eval-problem.ts';
import type { MetricSpec, PartialEval, PartialMetric } from '../eval-file/eval-spec.ts';
import type { MetricResult, MetricScores } from '../eval-result/eval-result.ts';
import type { ValueRange } from '../statistics/mean-interval.ts';
import { judgeGate } from './judge-gate.ts';
import { summarizeScores } from './summarize-scores.ts';

/** Metrics that are worked out of others which are not there, or are none that pass or fail. */
export function checkDerived(spec: PartialEval): readonly Diagnostic[] {
  return spec.metrics.flatMap((metric) => {
    if (metric.evaluator?.measures !== 'metric' || metric.parameters === undefined) return [];
    const { of } = metric.parameters;
    const found = spec.metrics.find((one) => one.name === of && one.evaluator?.measures !== 'metric');
    if (found !== undefined) return isNumber(found) ? [neitherPassesNorFails(spec, metric)] : [];
    const names = spec.metrics
      .filter(({ evaluator }) => evaluator?.measures !== 'metric')
      .map(({ name }) => name ?? '');
    const message = `metric "${metric.name}" is of "${String(of)}", and there is no such metric`;
    const help =
      didYouMean(String(of), names) ??
      (names.length === 0 ? 'the evaluation has no other metric' : `there are ${names.join(', ')}`);
    return [problem(spec, 'EVAL_PARAMETER', message, { path: ['metrics', metric.place, 'of'], help })];
  });
}

/** Known before anything runs, but for what functions of one's own give. */
function isNumber({ evaluator, parameters, expected }: PartialMetric): boolean {
  if (evaluator === undefined || parameters === undefined || evaluator.isKindOpen === true) return false;
  return evaluator.prepare(parameters, {}, expected !== undefined, '').kind === 'number';
}

function neitherPassesNorFails(spec: PartialEval, { name, place, parameters }: PartialMetric): Diagnostic {
  const message = `metric "${name}" counts passes of "${String(parameters?.['of'])}", which is a number and neither passes nor fails`;
  const help = 'name a metric such as equals or contains; a judge passes or fails with pass_from';
  return problem(spec, 'EVAL_PARAMETER', message, { path: ['metrics', place, 'of'], help });
}

/** A chance. */
export const derivedRange: ValueRange = [0, 1];

/** A metric of the attempts at each row: how many another metric let pass. Turns of a row pass where all do. */
export function derivedMetric(spec: MetricSpec, results: readonly MetricResult[]): MetricResult {
  const of = results.find(({ name }) => name === spec.parameters['of']);
  const { scores, fewer } = of === undefined ? none : derivedScores(spec, of.scores);
  const isPass = of?.kind === 'pass';
  const kept = isPass ? scores : none.scores;
  const k = Number(spec.parameters['k']);
  const reason = isPass ? `fewer than ${k} attempts (--repeat ${k})` : 'of a metric that neither passes nor fails';
  const left = isPass ? fewer : 1;
  // Attempts that were left out there are left out here: else a row whose attempts all failed is in no count.
  const attempts = isPass ? of.summary : { unscored: [], errors: 1 };
  const unscored = [...(left === 0 ? [] : [{ reason, count: left }]), ...attempts.unscored];
  const column = { unscored: () => ({ unscored, errors: attempts.errors }) };
  const summary = summarizeScores(kept, column, { range: derivedRange });
  const gate = spec.gate === undefined ? undefined : judgeGate(spec.gate, summary);
  return {
    name: spec.name,
    on: of?.on ?? 'row',
    evaluator: spec.evaluatorName,
    kind: 'number',
    better: 'higher',
    summary,
    scores: kept,
    ...(gate === undefined ? {} : { gate }),
  };
}

const none: { readonly scores: MetricScores; readonly fewer: number } = {
  scores: { lines: [], repeats: [], values: [] },
  fewer: 0,
};

function derivedScores({ evaluator, parameters }: MetricSpec, scores: MetricScores): typeof none {
  const attempts = new Map<number, Map<number, boolean>>();
  for (const [at, value] of scores.values.entries()) {
    const line = scores.lines[at] ?? 0;
    const repeat = scores.repeats[at] ?? 0;
    const own = attempts.get(line) ?? new Map<number, boolean>();
    attempts.set(line, own.set(repeat, (own.get(repeat) ?? true) && value !== 0));
  }
  const found = [...attempts].map(([line, own]) => {
    const passed = [...own.values()].filter((one) => one).length;
    return { line, value: evaluator.ofAttempts?.(parameters, own.size, passed) };
  });
  const known = found.flatMap(({ line, value }) => (value === undefined ? [] : [{ line, value }]));
  return {
    scores: {
      lines: known.map(({ line }) => line),
      repeats: known.map(() => 0),
      values: known.map(({ value }) => value),
    },
    fewer: found.length - known.length,
  };
}
