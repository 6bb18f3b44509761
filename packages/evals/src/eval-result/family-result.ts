/** An agent seen by iteration. */
export interface FamilyResult {
  readonly family: string;
  readonly iterations: readonly IterationResult[];
  /** How the decision to stop came out, where expectations tell when it should have. */
  readonly stopped?: {
    readonly right: number;
    readonly tooEarly: number;
    readonly tooLate: number;
    readonly never: number;
  };
  /** Rows that were right at one iteration and wrong at the end. */
  readonly lostLater?: number;
  readonly recommendedTimes?: number;
}

export interface IterationResult {
  readonly iteration: number;
  /** Rows whose node ran there. */
  readonly ran: number;
  /** Rows that finished there. */
  readonly finished: number;
  /** Rows answered right, had the loop ended here; absent without expectations. */
  readonly rightByNow?: number;
  readonly tokens?: number;
  readonly cost?: number;
  /** A call of it has no price that is known. */
  readonly isCostPartial?: boolean;
}
