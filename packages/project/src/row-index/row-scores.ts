/** Scores of one metric by the places of an index. */
export interface ScoreColumn {
  readonly kind: 'pass' | 'number';
  readonly better: 'higher' | 'lower';
  /** NaN where there is none. */
  readonly values: Float64Array;
  /** Of the run it is compared with; NaN where there is none. Absent where nothing is compared. */
  readonly before?: Float64Array;
}

/** What an evaluation and labels tell of the rows of an index, by their places. */
export interface RowMarks {
  readonly scores: ReadonlyMap<string, ScoreColumn>;
  /** Node where it went wrong first. */
  readonly firstBad: ReadonlyMap<number, string>;
  /** Judgements by people, by name of what was judged. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<number, 'pass' | 'fail' | 'unsure'>>;
}

export const noMarks: RowMarks = { scores: new Map(), firstBad: new Map(), labels: new Map() };
