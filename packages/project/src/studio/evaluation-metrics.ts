import { type EvalSpec, type MetricResult, nothingAtText, scoreBins } from '@unroll/evals';
import type { MetricRow, RunScore } from '../studio-contract/contract.ts';
import { gateInLanguage, reasonInLanguage } from '../words/score-reasons.ts';
import { intervalView, scoreFigure } from './figures.ts';
import type { JudgedRun } from './judged-run.ts';
import type { Language } from './lens.ts';
import { metricDifference } from './metric-difference.ts';

/** Every metric in all runs, in the order of the file. */
export function metricRows(
  runs: readonly JudgedRun[],
  spec: EvalSpec | undefined,
  language: Language,
): readonly MetricRow[] {
  const [first] = runs;
  return (first?.result.metrics ?? []).map((metric) => {
    const { name, evaluator, on, node, kind, better, unit } = metric;
    const scores = runs.flatMap((run) => runScore(run, name, language) ?? []);
    const bounds = gateBounds(spec, name);
    return {
      ...{ name, evaluator, on, kind, better },
      ...(node === undefined ? {} : { node }),
      ...(unit === undefined ? {} : { unit }),
      scale: scaleOf(metric, scores, bounds),
      bounds,
      runs: scores,
      isSignificant: scores.some(({ difference }) => ['better', 'worse'].includes(difference?.verdict ?? '')),
    };
  });
}

function runScore(
  { line, result, against, judges }: JudgedRun,
  name: string,
  language: Language,
): RunScore | undefined {
  const metric = result.metrics.find((one) => one.name === name);
  if (metric === undefined) return undefined;
  const { summary, gate } = metric;
  const nothingAt = nothingAtText(metric, language);
  const compared = against.metrics.find((one) => one.name === name);
  const difference = compared === undefined ? undefined : metricDifference(compared, language);
  return {
    run: line.id,
    mean: scoreFigure(summary.mean, metric, whyNone(summary.unscored[0]?.reason, language)),
    ...(summary.interval === undefined ? {} : { interval: intervalView(summary.interval, metric, language) }),
    scored: summary.scored,
    unscored: summary.unscored.map(({ reason, count, rows = [], said }) => {
      return {
        reason: reasonInLanguage(reason, language),
        rows: count,
        at: rows,
        ...(said === undefined ? {} : { said }),
      };
    }),
    ...(nothingAt === undefined ? {} : { nothingAt }),
    bins: scoreBins(metric),
    turns: turnsOf(metric, language),
    ...(metric.judgedBy === undefined ? {} : { judge: { run: metric.judgedBy, ...judges.get(metric.judgedBy) } }),
    ...(gate === undefined ? {} : { gate: gateInLanguage(gate, language) }),
    ...(difference === undefined ? {} : { difference }),
  };
}

function turnsOf(metric: MetricResult, language: Language): RunScore['turns'] {
  return (metric.iterations ?? []).map(({ iteration, mean, interval, scored, unscored }) => ({
    turn: iteration,
    mean: scoreFigure(mean, metric, whyNone(unscored[0]?.reason, language)),
    ...(interval === undefined ? {} : { interval: intervalView(interval, metric, language) }),
    scored,
  }));
}

function whyNone(reason: string | undefined, language: Language): string | undefined {
  return reason === undefined ? undefined : reasonInLanguage(reason, language);
}

/** Shares and scores between 0 and 1 go from 0 to 1; other numbers from 0 to a little beyond the most. */
function scaleOf({ kind }: MetricResult, scores: readonly RunScore[], bounds: readonly number[]): MetricRow['scale'] {
  const ofRuns = scores.flatMap(({ mean, interval, difference }) => [
    mean.value ?? 0,
    interval?.low ?? 0,
    interval?.high ?? 0,
    difference?.before.value ?? 0,
  ]);
  const values = [...ofRuns, ...bounds];
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (kind === 'pass' || (low >= 0 && high <= 1)) return { low: 0, high: 1 };
  return { low, high: high + (high - low) * 0.05 };
}

/** Of gates that stand at numbers; a metric that is held to the baseline alone has none. */
function gateBounds(spec: EvalSpec | undefined, name: string): readonly number[] {
  const gate = spec?.metrics.find((metric) => metric.name === name)?.gate;
  return [gate?.min, gate?.max].filter((bound) => bound !== undefined);
}
