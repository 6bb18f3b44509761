import type { EvalResult, MetricResult, MetricScores, RowKeys } from '../eval-result/eval-result.ts';
import { rowMeans } from '../score-run/summarize-scores.ts';
import type { Baseline, BaselineMetric } from './baseline.ts';

/**
 * What of an evaluation later ones are compared with.
 *
 * @param measures by metric, what stands for how it is measured
 */
export function baselineOf(result: EvalResult, measures?: ReadonlyMap<string, string>): Baseline {
  const lines = result.lines ?? scoredLines(result);
  return {
    version: 1,
    name: result.name,
    run: result.run,
    lines,
    ...keysOf(result.keys, lines),
    metrics: result.metrics.map((metric) => baselineMetric(metric, lines, measures?.get(metric.name))),
  };
}

function scoredLines({ metrics }: EvalResult): readonly number[] {
  return [...new Set(metrics.flatMap(({ scores }) => scores.lines))].sort((one, other) => one - other);
}

function keysOf(keys: RowKeys | undefined, lines: readonly number[]): Pick<Baseline, 'keys'> {
  if (keys === undefined) return {};
  const byLine = new Map(keys.lines.map((line, at) => [line, keys.values[at] ?? '']));
  return { keys: { name: keys.name, values: lines.map((line) => byLine.get(line) ?? `line ${line}`) } };
}

function baselineMetric(
  metric: MetricResult,
  lines: readonly number[],
  measuredBy: string | undefined,
): BaselineMetric {
  const { name, kind, better, summary, scores } = metric;
  const means = meansByLine(scores);
  return {
    name,
    kind,
    better,
    ...(measuredBy === undefined ? {} : { measuredBy }),
    mean: summary.mean,
    ...(summary.interval === undefined ? {} : { interval: summary.interval }),
    scored: summary.scored,
    scores: means.size === 0 ? [] : lines.map((line) => rounded(means.get(line))),
  };
}

/** To six digits, as the file keeps them: the same score is the same on both sides of a comparison. */
function rounded(score: number | undefined): number | null {
  return score === undefined ? null : Number(score.toPrecision(6));
}

/** By line, the mean of its repetitions, of each the mean of its records: a family has one for each iteration. */
export function meansByLine(scores: MetricScores): ReadonlyMap<number, number> {
  const { means, lines } = rowMeans(scores);
  const byLine = new Map<number, number>();
  for (let at = 0; at < means.length; at += 1) byLine.set(lines[at] as number, means[at] as number);
  return byLine;
}
