import type { EvalSpec, MetricResult } from '@unroll/evals';
import type { MetricRow, RunScore } from '../studio-contract/contract.ts';
import type { JudgedRun } from './evaluation-verdict.ts';
import { intervalView, scoreFigure } from './figures.ts';
import { metricDifference } from './metric-difference.ts';

/** Every metric in all runs, in the order of the file. */
export function metricRows(runs: readonly JudgedRun[], spec: EvalSpec | undefined): readonly MetricRow[] {
  const [first] = runs;
  return (first?.result.metrics ?? []).map((metric) => {
    const { name, evaluator, on, node, kind, better, unit } = metric;
    const scores = runs.flatMap((run) => runScore(run, name) ?? []);
    const gateAt = gateLine(spec, name);
    return {
      ...{ name, evaluator, on, kind, better },
      ...(node === undefined ? {} : { node }),
      ...(unit === undefined ? {} : { unit }),
      scale: scaleOf(metric, scores),
      ...(gateAt === undefined ? {} : { gateAt }),
      runs: scores,
      isSignificant: scores.some(({ difference }) => ['better', 'worse'].includes(difference?.verdict ?? '')),
    };
  });
}

function runScore({ line, result, against }: JudgedRun, name: string): RunScore | undefined {
  const metric = result.metrics.find((one) => one.name === name);
  if (metric === undefined) return undefined;
  const { summary, gate } = metric;
  const compared = against.metrics.find((one) => one.name === name);
  const difference = compared === undefined ? undefined : metricDifference(compared);
  return {
    run: line.id,
    mean: scoreFigure(summary.mean, metric, summary.unscored[0]?.reason),
    ...(summary.interval === undefined ? {} : { interval: intervalView(summary.interval, metric) }),
    scored: summary.scored,
    unscored: summary.unscored.map(({ reason, count }) => ({ reason, rows: count })),
    ...(gate === undefined ? {} : { gate }),
    ...(difference === undefined ? {} : { difference }),
  };
}

/** Shares and scores between 0 and 1 go from 0 to 1; other numbers from 0 to a little beyond the most. */
function scaleOf({ kind }: MetricResult, scores: readonly RunScore[]): MetricRow['scale'] {
  const values = scores.flatMap(({ mean, interval }) => [mean.value ?? 0, interval?.low ?? 0, interval?.high ?? 0]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (kind === 'pass' || (low >= 0 && high <= 1)) return { low: 0, high: 1 };
  return { low, high: high + (high - low) * 0.05 };
}

/** Of gates that stand at a number; a metric that is held to the baseline alone has none. */
function gateLine(spec: EvalSpec | undefined, name: string): number | undefined {
  const gate = spec?.metrics.find((metric) => metric.name === name)?.gate;
  return gate?.min ?? gate?.max;
}
