import type { EvalResult, MetricResult, MetricScores, RowKeys } from '../score-run/eval-result.ts';
import type { Baseline, BaselineMetric } from './baseline.ts';

/** What of an evaluation later ones are compared with. */
export function baselineOf(result: EvalResult): Baseline {
  const lines = result.lines ?? scoredLines(result);
  return {
    version: 1,
    name: result.name,
    run: result.run,
    lines,
    ...keysOf(result.keys, lines),
    metrics: result.metrics.map((metric) => baselineMetric(metric, lines)),
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

function baselineMetric(metric: MetricResult, lines: readonly number[]): BaselineMetric {
  const { name, kind, better, summary, scores } = metric;
  const means = rowMeans(scores);
  return {
    name,
    kind,
    better,
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
export function rowMeans({ lines, repeats, values }: MetricScores): ReadonlyMap<number, number> {
  const rows = new Map<number, Map<number, number[]>>();
  for (const [at, line] of lines.entries()) {
    const row = rows.get(line) ?? new Map<number, number[]>();
    rows.set(line, row);
    const repeat = repeats[at] ?? 0;
    row.set(repeat, [...(row.get(repeat) ?? []), values[at] ?? 0]);
  }
  return new Map(Array.from(rows, ([line, row]) => [line, mean(Array.from(row.values(), mean))]));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
