import type { Interval } from './interval.ts';

/**
 * A test of the differences between paired rows, and the intervals that come of it: one holds every mean difference that
 * the test does not refuse, and so excludes 0 exactly where p is below the level it is asked for.
 */
export interface PairedTest {
  /** Two-sided; 1 where no row differs. */
  readonly pValue: number;
  /**
   * Of the mean difference.
   *
   * @param level chance that such an interval misses the true difference: 0.05 for 95 %
   * @returns undefined where the rows are too few to refuse any difference at that level
   */
  readonly intervalAt: (level: number) => Interval | undefined;
}
