import type { Budget, RunCatalog } from '@unroll/engine';
import type { ThrottleState } from '@unroll/nodes';

/** Runs that an engine keeps, beside those of the folder. */
export interface EngineRuns {
  /** Whether the name of a run means one of these first; otherwise only one that is not in the folder. */
  readonly isFirst: boolean;
  /**
   * Opened when a run of it is asked for, and then the same each time.
   *
   * @throws ProjectFailure when the engine is not reached
   */
  catalog(): Promise<EngineCatalog>;
}

/** Runs that workers work on. Each is known by its whole id. */
export interface EngineCatalog extends RunCatalog {
  /** Undefined where the run is over, or never was on workers. */
  workOn(id: string): Promise<EngineWork | undefined>;
  /** No new row begins, those in flight end; nothing where it is over. */
  stop(id: string): Promise<void>;
  /**
   * Goes on with the rows that are missing, or also with those that failed; whoever follows it.
   *
   * @throws ProjectFailure where it is under way, being stopped or over, or its budget is spent
   */
  goOn(id: string, mode: 'resume' | 'retry-failed'): Promise<void>;
}

/** Who works on a run, and what holds it back. */
export interface EngineWork {
  readonly isStopping: boolean;
  /** All that are there, also those that have nothing of it in flight. */
  readonly workers: readonly WorkerAtWork[];
  /** Connections whose calls wait and that it calls. */
  readonly paces: readonly ThrottleState[];
  /** Of the whole run. */
  readonly budget: Budget;
  readonly spent: {
    readonly tokens: number;
    /** US dollars. */
    readonly cost: number;
    /** Since it began, or went on the last time. */
    readonly elapsedMs: number;
  };
}

export interface WorkerAtWork {
  readonly name: string;
  readonly host: string;
  /** Its number there. */
  readonly process: number;
  /** In flight. */
  readonly rows: number;
  /** How many nodes are in flight, by their names. */
  readonly nodes: Readonly<Record<string, number>>;
  /** Since it was heard of. */
  readonly silentMs: number;
  /** Why it cannot run it. */
  readonly lacks: string | undefined;
}
