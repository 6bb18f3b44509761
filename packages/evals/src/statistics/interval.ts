export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Whether an interval of a difference says that there is one. */
export function excludesZero(interval: Interval | undefined): boolean {
  return interval !== undefined && (interval.low > 0 || interval.high < 0);
}
