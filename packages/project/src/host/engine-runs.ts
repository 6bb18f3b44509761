import type { RunCatalog } from '@unroll/engine';

/** Runs that an engine keeps, beside those of the folder. */
export interface EngineRuns {
  /** Whether the name of a run means one of these first; otherwise only one that is not in the folder. */
  readonly isFirst: boolean;
  /**
   * Opened when a run of it is asked for, and then the same each time.
   *
   * @throws ProjectFailure when the engine is not reached
   */
  catalog(): Promise<RunCatalog>;
}
