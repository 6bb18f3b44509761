import type { Baseline, EvalResult, EvalSpec } from '@unroll/evals';

/** What an evaluation came to, with what it was made from. */
export interface ScoredEvaluation {
  /** As a person would type it. */
  readonly path: string;
  readonly spec: EvalSpec;
  readonly result: EvalResult;
  /** Where the record of its run is. */
  readonly record: string;
  /** The run it was compared with, scored as well. */
  readonly against?: { readonly record: string; readonly result: EvalResult };
  /** The accepted one it was compared with. */
  readonly baseline?: Baseline;
}
