import type { MetricScores, ScoreSummary } from '../eval-result/eval-result.ts';
import { meanInterval, type ValueRange } from '../statistics/mean-interval.ts';
import { meanOf } from '../statistics/mean-of.ts';
import type { ScoreColumn } from './score-column.ts';

/** Mean, interval and what is left out, of all scores or of one iteration. */
export function summarizeScores(
  scores: MetricScores,
  column: Pick<ScoreColumn, 'unscored'>,
  { range, iteration }: { readonly range: ValueRange | undefined; readonly iteration?: number },
): ScoreSummary {
  const { means, scored } = rowMeans(scores, iteration);
  const interval = meanInterval(means, range);
  return {
    mean: means.length === 0 ? null : meanOf(means),
    ...(interval === undefined ? {} : { interval }),
    scored,
    ...column.unscored(iteration),
  };
}

/** As columns. */
interface RowMeans {
  readonly means: Float64Array;
  readonly lines: Int32Array;
  /** Scores they are of. */
  readonly scored: number;
}

/** What a row scored: the mean of its repetitions, of each the mean of its records. Scores stand in the order of rows. */
export function rowMeans({ lines, repeats, iterations, values }: MetricScores, iteration?: number): RowMeans {
  const means = new Float64Array(values.length);
  const ofLines = new Int32Array(values.length);
  let [rows, scored] = [0, 0];
  let [runs, rowSum] = [0, 0];
  let [count, sum] = [0, 0];
  let line = 0;
  const endRun = (): void => {
    if (count === 0) return;
    rowSum += sum / count;
    runs += 1;
    scored += count;
    [count, sum] = [0, 0];
  };
  const endRow = (): void => {
    endRun();
    if (runs === 0) return;
    means[rows] = rowSum / runs;
    ofLines[rows] = line;
    rows += 1;
    [runs, rowSum] = [0, 0];
  };
  for (let at = 0; at < values.length; at += 1) {
    if (lines[at] !== lines[at - 1]) endRow();
    else if (repeats[at] !== repeats[at - 1]) endRun();
    if (iteration !== undefined && iterations?.[at] !== iteration) continue;
    line = lines[at] as number;
    sum += values[at] as number;
    count += 1;
  }
  endRow();
  return { means: means.subarray(0, rows), lines: ofLines.subarray(0, rows), scored };
}
