import type { MadeWith, RunInfo } from '@unroll/engine';
import type { PartChange } from '../attribute-changes/attribution.ts';
import type { FamilyResult } from './family-result.ts';
import type { FirstBadGroup } from './first-bad-result.ts';

/** What an evaluation found, as plain JSON: made by scoring, read by reports, gates and the baseline. */
export interface EvalResult {
  /** Of this form. */
  readonly version: 1;
  /** Name of the evaluation: its `name`, else its folder's. */
  readonly name: string;
  readonly run: ScoredRun;
  readonly rows: RowTotals;
  readonly metrics: readonly MetricResult[];
  /** Failing rows, grouped by the first node in the order of the flow whose own metric fails; largest group first. */
  readonly firstBad: readonly FirstBadGroup[];
  readonly families: readonly FamilyResult[];
  /** Of all rows, scored or not, ascending. */
  readonly lines?: readonly number[];
  /** What tells rows apart, where a key is declared: rows are then paired by it, not by line. */
  readonly keys?: RowKeys;
  /** The same for the rows of each value of a column; absent where no column was asked for. */
  readonly slices?: readonly SlicedColumn[];
  /** Absent where nothing was compared. */
  readonly baseline?: ScoredRun;
  /** With `baseline`: what the metrics' comparisons have in common. */
  readonly comparison?: ResultComparison;
}

/** As columns. */
export interface RowKeys {
  /** Of the input or column. */
  readonly name: string;
  readonly lines: readonly number[];
  readonly values: readonly string[];
}

export interface ScoredRun {
  readonly id: string;
  /** As a person would type it. */
  readonly path?: string;
  readonly flow: string;
  readonly startedAt: number;
  /** Milliseconds from the start of its first row to the end of its last. */
  readonly durationMs?: number;
  readonly usage?: { readonly promptTokens: number; readonly completionTokens: number };
  /** What the run was made of: nodes in the order of the flow, digests of their definitions and of the data. */
  readonly made?: RunMade;
}

export type RunMade = Pick<
  RunInfo,
  'flowDigest' | 'nodes' | 'outputs' | 'nodeDefinitions' | 'nodeReads' | 'data' | 'madeWith'
>;

export interface RowTotals {
  readonly total: number;
  /** How many the run was to have; only where it was stopped before. */
  readonly planned?: number;
  readonly completed: number;
  readonly failed: number;
  /** Completed, but a loop reached its bound. */
  readonly unfinished: number;
  /** How often each line was run. */
  readonly repeats: number;
}

export interface MetricResult {
  readonly name: string;
  /** As written: `outputs.answer`, `agent_1.function_call.name`, `function[*]`. */
  readonly on: string;
  /** Node or family it measures; absent for outputs of the flow. */
  readonly node?: string;
  readonly evaluator: string;
  /** `pass`: every score is 0 or 1, and 0 is a failure. */
  readonly kind: 'pass' | 'number';
  readonly better: 'higher' | 'lower';
  /** Of the scores; absent for plain numbers. */
  readonly unit?: 'ms' | 'tokens' | 'USD';
  /** In no row anything stood where it looks: the path, and the name in it that is missing, with those there are. */
  readonly nothingAt?: { readonly path: string; readonly missing?: string; readonly known: readonly string[] };
  /** Id of the run of the judge that was asked. */
  readonly judgedBy?: string;
  /** Milliseconds that what it measures took, over all rows; of a metric without a node the rows as a whole. */
  readonly durationMs?: number;
  /** Of all scored rows; null where none is. */
  readonly summary: ScoreSummary;
  readonly scores: MetricScores;
  /** Families only: the same by iteration, from 1. */
  readonly iterations?: readonly (ScoreSummary & { readonly iteration: number })[];
  readonly comparison?: MetricComparison;
  readonly gate?: GateResult;
}

export interface ScoreSummary {
  /** Mean over rows (of the mean over the repetitions of a row); null where nothing is scored. */
  readonly mean: number | null;
  readonly interval?: Interval95;
  /** Scored records or rows. */
  readonly scored: number;
  /** Without a score, by reason (`no expectation`, `node bypassed` …): neither passed nor failed. */
  readonly unscored: readonly UnscoredRows[];
  /** Of the unscored, those where the run or the evaluator failed. */
  readonly errors: number;
}

/** The rows told apart by a column of the data. */
export interface SlicedColumn {
  /** `lang`, `expected.kind`. */
  readonly column: string;
  /** Those of most rows first; rows without a value last. */
  readonly slices: readonly Slice[];
  /** Values beyond the 20 of most rows; absent where there is none. */
  readonly leftOut?: { readonly values: number; readonly rows: number };
}

export interface Slice {
  /** A text as it is, any other value as JSON, cut after 100 characters; null: the rows have none (or null, or the empty text). */
  readonly value: string | null;
  /** Of its rows, scored or not, ascending. */
  readonly lines: readonly number[];
  /** In the order of the evaluation, but for metrics that are one figure over all rows. */
  readonly metrics: readonly SliceMetric[];
}

export interface SliceMetric extends Pick<ScoreSummary, 'mean' | 'interval' | 'scored'> {
  readonly name: string;
  /** Adjusted over the metrics of all slices of the evaluation together. */
  readonly comparison?: MetricComparison;
}

export interface UnscoredRows {
  readonly reason: string;
  readonly count: number;
  /** Of errors: the first of the rows, and what was said in the first. */
  readonly rows?: readonly RowPlace[];
  readonly said?: string;
}

export interface RowPlace {
  readonly line: number;
  readonly repeat: number;
}

/** 95 %; rows are independent of each other, repetitions of a row are not. */
export interface Interval95 {
  readonly low: number;
  readonly high: number;
}

/** Scores of single rows, as columns. */
export interface MetricScores {
  readonly lines: readonly number[];
  readonly repeats: readonly number[];
  /** Absent: no family. */
  readonly iterations?: readonly number[];
  readonly values: readonly number[];
}

export interface MetricComparison {
  /** Rows scored in both runs. */
  readonly pairs: number;
  readonly before: number;
  readonly after: number;
  /** after - before, over the pairs. */
  readonly difference: number;
  /** Of the test that gives `pValue`: it excludes 0 exactly where the verdict is `better` or `worse`. Absent for few rows. */
  readonly interval?: Interval95;
  /**
   * With `interval`: 0.95 where one metric is compared, more where several are, so that of the intervals of metrics that are
   * called better or worse no more than 5 % are expected to miss (Benjamini and Yekutieli).
   */
  readonly intervalLevel?: number;
  /** Permutation test, or McNemar's exact test for `pass` metrics. */
  readonly pValue: number;
  /** After Benjamini and Hochberg over all metrics of the evaluation. */
  readonly adjustedPValue: number;
  readonly verdict: 'better' | 'worse' | 'not significant' | 'same';
  /** Rows that would show a difference of this size at 80 % power; only where not significant. */
  readonly rowsNeeded?: number;
  /** `pass` metrics: rows that turned. */
  readonly flips?: Flips;
  /** Rows of both runs that had a score before and have none now; absent where there is none. */
  readonly lost?: number;
}

export interface Flips {
  readonly fixed: number;
  readonly broken: number;
  /** The first of them, by their line in the later run. */
  readonly fixedLines?: readonly number[];
  readonly brokenLines?: readonly number[];
}

/** How the rows of two results were set side by side, and what changed between them. */
export interface ResultComparison {
  readonly pairedBy: 'key' | 'line';
  /** Rows of both. */
  readonly paired: number;
  readonly onlyBefore: number;
  readonly onlyAfter: number;
  /** Metrics that the earlier one has not, or of another kind. */
  readonly newMetrics: readonly string[];
  /** Metrics that only the earlier one has. Absent where there is none. */
  readonly goneMetrics?: readonly string[];
  /** Of `newMetrics`: pass or fail in one of the two, numbers in the other. Absent where there is none. */
  readonly otherKinds?: readonly string[];
  /** Compared, but more was better before and less is now, or the other way round. Absent where there is none. */
  readonly turned?: readonly string[];
  /** Compared, but with other settings, another evaluator's file or another judge than the baseline tells. Absent where there is none. */
  readonly measuredOtherwise?: readonly string[];
  /** The data is not the same file any more; absent where a digest is missing. */
  readonly dataChanged?: boolean;
  /** Version and build of Unroll behind the two runs, as far as they tell. */
  readonly madeWith?: { readonly before?: MadeWith; readonly after?: MadeWith };
  /** Nodes whose definition changed, in the order of the flow, instances of one as one; absent where that is not known. */
  readonly changes?: readonly DefinitionChange[];
  /** Rows that got worse, grouped by the first node in the order of the flow whose metric did; largest group first. */
  readonly firstWorse: readonly FirstWorseGroup[];
}

export interface DefinitionChange {
  /** A node, or the family of its instances. */
  readonly node: string;
  readonly change: 'changed' | 'added' | 'removed';
  readonly parts: readonly PartChange[];
}

export interface FirstWorseGroup {
  readonly node: string;
  readonly metric: string;
  /** `no score`: the row had one before. */
  readonly kind: 'worse' | 'no score';
  readonly rows: number;
  /** The first of them. */
  readonly lines: readonly number[];
  /** Changed nodes that can have caused it: the node itself, else those it depends on; absent where that is not known. */
  readonly causes?: readonly string[];
}

export interface GateResult {
  /** As written: `min 0.95`, `no worse than baseline`. */
  readonly rule: string;
  readonly passed: boolean;
  /** One sentence. */
  readonly reason: string;
}
