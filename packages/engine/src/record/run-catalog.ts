import type { OnDamage } from './run-file-error.ts';
import type { RunReader } from './run-reader.ts';

/** Whether anybody is at work on a run; `stopped`: the last one that was did not come to its end. */
export type WorkState = 'running' | 'stopped' | 'free';

/** What people say of a run: no part of its record, so that nothing which is worked out from that changes with it. */
export interface RunMarks {
  readonly name?: string;
  readonly note?: string;
  readonly tags: readonly string[];
}

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
  /** By their ids, of the runs of which anything is said. */
  marks(): Promise<ReadonlyMap<string, RunMarks>>;
  /**
   * Changes what is said of a run, whether or not somebody is at work on it; its stamp stays. Of two who do so at once one comes
   * after the other.
   *
   * @returns what is said of it then
   */
  mark(id: string, change: (marks: RunMarks) => RunMarks): Promise<RunMarks>;
  /**
   * The run as a record file: its own, or a copy of what there is of it now, which is removed once nobody needs it.
   *
   * @param onProgress told how many records were copied so far
   */
  file(id: string, onProgress?: (records: number) => void): Promise<CatalogFile>;
  /** Removes a run for good; an error whose `code` is `RunInUse` where somebody is at work on it. */
  remove(id: string): Promise<void>;
}

export interface CatalogFile extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
}
