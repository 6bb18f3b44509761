import type { Interval95, RowKeys, ScoredRun } from '../eval-result/eval-result.ts';

/**
 * An evaluation as it was accepted: what later runs must not be worse than. Rows as columns, so that a comparison is
 * paired. Kept as a file of git, in the form of `printBaseline`.
 */
export interface Baseline {
  readonly version: 1;
  /** Name of the evaluation. */
  readonly name: string;
  readonly run: ScoredRun;
  /** Of all rows, ascending. */
  readonly lines: readonly number[];
  /** What tells the rows apart, where a key is declared; `values` as `lines`. */
  readonly keys?: Pick<RowKeys, 'name' | 'values'>;
  readonly metrics: readonly BaselineMetric[];
}

export interface BaselineMetric {
  readonly name: string;
  readonly kind: 'pass' | 'number';
  readonly better: 'higher' | 'lower';
  /** Stands for how it was measured; what is measured otherwise has another. Absent in files of before. */
  readonly measuredBy?: string;
  /** Null where nothing is scored. */
  readonly mean: number | null;
  readonly interval?: Interval95;
  /** Scored records or rows. */
  readonly scored: number;
  /** As `lines`: mean over a row's repetitions and iterations, null without a score. Empty for figures over all rows. */
  readonly scores: readonly (number | null)[];
}
