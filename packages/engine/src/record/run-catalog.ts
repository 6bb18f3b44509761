import type { OnDamage } from './run-file-error.ts';
import type { RunReader } from './run-reader.ts';

/** Whether anybody is at work on a run; `stopped`: the last one that was did not come to its end. */
export type WorkState = 'running' | 'stopped' | 'free';

/**
 * Where runs are kept: a folder with a file a run, or a database. A run is known by its id. What is asked of one that is not there
 * ends with an error whose `code` is `RunNotFound`.
 */
export interface RunCatalog {
  /** The path of the folder, or the address of the database, without secrets. */
  readonly shown: string;
  /** Of all runs, newest first. */
  ids(): Promise<readonly string[]>;
  /** Opens a run to read it, also while it is written. @param onDamage as `ReadOptions` has it */
  open(id: string, onDamage?: OnDamage): Promise<RunReader>;
  stateOf(id: string): Promise<WorkState>;
  /**
   * By their ids, newest first, a text that is another one once more of the run was recorded, its state changed, or another run has
   * that id.
   */
  stamps(): Promise<ReadonlyMap<string, string>>;
  /** The same of one run. */
  stampOf(id: string): Promise<string>;
  /** The run as a record file: its own, or a copy of what there is of it now, which is removed when it is disposed of. */
  file(id: string): Promise<CatalogFile>;
  /** Removes a run for good; an error whose `code` is `RunInUse` where somebody is at work on it. */
  remove(id: string): Promise<void>;
}

export interface CatalogFile extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}
