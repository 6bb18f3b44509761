import type { EvalResult } from '@unroll/evals';
import type { Figure, RunLine } from '../studio-contract/contract.ts';

/** A run as an evaluation scored it. */
export interface JudgedRun {
  readonly line: RunLine;
  /** Compared with the baseline. */
  readonly result: EvalResult;
  /** Compared with the first run of the page; of the first the same as `result`. */
  readonly against: EvalResult;
  /** What judges that were asked for it took, by the ids of their runs. */
  readonly judges: ReadonlyMap<string, JudgeFigures>;
}

export interface JudgeFigures {
  readonly tokens: Figure;
  readonly cost: Figure;
}
