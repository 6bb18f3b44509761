import type { MetricResult } from '../eval-result/eval-result.ts';
import { rowMeans } from '../score-run/summarize-scores.ts';
import { scoreText } from './score-text.ts';

/** Rows whose score lies from `from` up to `to`; the last bin holds its end as well. */
export interface ScoreBin {
  readonly from: number;
  readonly to: number;
  /** `failed`, `passed`, `0.25 to 0.5`. */
  readonly text: string;
  readonly rows: number;
}

/** How the scores of rows lie: failed and passed, or bins of numbers between round ones; none where nothing is scored. */
export function scoreBins({ kind, unit, scores }: Pick<MetricResult, 'kind' | 'unit' | 'scores'>): readonly ScoreBin[] {
  const means = [...rowMeans(scores).means];
  if (means.length === 0) return [];
  const isPass = kind === 'pass' && means.every((mean) => mean === 0 || mean === 1);
  if (isPass) {
    const passed = means.filter((mean) => mean === 1).length;
    return [
      { from: 0, to: 0, text: 'failed', rows: means.length - passed },
      { from: 1, to: 1, text: 'passed', rows: passed },
    ];
  }
  return numberBins(means, (value) => scoreText(value, { kind, ...(unit === undefined ? {} : { unit }) }));
}

const maxBins = 20;

function numberBins(means: readonly number[], text: (value: number) => string): readonly ScoreBin[] {
  const { from, to } = roundRange(means);
  const count = Math.max(5, Math.min(maxBins, Math.ceil(2 * Math.cbrt(means.length))));
  const size = (to - from) / count;
  const rows = new Array<number>(count).fill(0);
  for (const mean of means) {
    const bin = Math.min(count - 1, Math.floor((mean - from) / size + 1e-9));
    rows[bin] = (rows[bin] ?? 0) + 1;
  }
  return rows.map((number, bin) => {
    const [low, high] = [from + bin * size, from + (bin + 1) * size];
    return { from: low, to: high, text: `${text(low)} to ${text(high)}`, rows: number };
  });
}

/** Round numbers that hold all values: 0 to 1 where they all lie there, else from 0 or below it. */
export function roundRange(values: Iterable<number>): { readonly from: number; readonly to: number } {
  let [low, high] = [0, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low >= 0 && high <= 1) return { from: 0, to: 1 };
  // Where all are the same number below 0 they still lie between two.
  const step = roundStep((high - low || Math.abs(low)) / 4);
  const rounded = (steps: number): number => Number((steps * step).toPrecision(12));
  const first = Math.floor(low / step + 1e-9);
  return { from: rounded(first), to: rounded(Math.max(first + 1, Math.ceil(high / step - 1e-9))) };
}

/** 1, 2 or 5 times a power of ten, at least `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((one) => one * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}
