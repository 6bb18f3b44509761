import type { Queryable } from '../database/database.ts';

/** What is to be done for a run. */
export type Work =
  /**
   * Runs the rows of a chunk. `isLeft`: some of them may have run, since a worker that had it handed it back; `lost`: so many that had it
   * were taken for dead.
   */
  | { readonly kind: 'rows'; readonly chunk: number; readonly isLeft?: true; readonly lost?: number }
  /** Runs the aggregation nodes and ends the run. */
  | { readonly kind: 'finish' }
  /** Nobody of ours wrote what stands in the database. */
  | { readonly kind: 'unreadable' };

/** Which job it is, and which taking of it. */
export interface HeldJob {
  readonly run: string;
  readonly id: string;
  /** How often it was taken before. */
  readonly retryCount: number;
}

/** A job that this process has taken and nobody else does, as long as it is kept. */
export interface TakenJob extends HeldJob {
  readonly work: Work;
  /** Workers that had it, or what it was made of, and did not come to its end. */
  readonly deaths: number;
}

export interface NewJob {
  /** The same name is the same job. */
  readonly name: string;
  readonly work: Work;
}

/** The jobs of runs. A run has a queue of its own, so that a worker takes only jobs of runs that it can run. */
export interface Jobs extends AsyncDisposable {
  /** Does nothing where the run has its queue. Not inside a transaction. */
  openQueue(run: string): Promise<void>;
  /** Jobs that are there already stay as they are. */
  add(run: string, jobs: readonly NewJob[], within: Queryable): Promise<void>;
  /** @returns at most so many jobs that nobody has taken */
  take(run: string, most: number): Promise<readonly TakenJob[]>;
  /** @returns a job of rows that another worker had, gave back or lost, and nobody has taken */
  takeReturned(run: string): Promise<TakenJob | undefined>;
  /**
   * Says that a job is still worked on; without a word in 10 seconds it is given to another worker.
   *
   * @returns whether it is still this process's
   */
  keep(job: TakenJob, within?: Queryable): Promise<boolean>;
  /** @returns false where the job was given to another worker */
  complete(job: TakenJob, within: Queryable): Promise<boolean>;
  /**
   * Gives away the job of a worker that is taken for dead: others take it before all else.
   *
   * @returns false where that worker has it no more
   */
  giveAway(job: HeldJob, within: Queryable): Promise<boolean>;
  /** Gives a job back: others take it before all else. */
  giveBack(job: TakenJob, within: Queryable): Promise<void>;
  /** Takes away the jobs of a run that nobody has taken. */
  dropQueued(run: string, within: Queryable): Promise<void>;
  /** Whether somebody is at work on a job of the run, as far as anybody knows. */
  isAnyActive(run: string, within: Queryable): Promise<boolean>;
  /** Whether there is a job of the run that is not over: somebody is at work on it, or nobody has taken it. */
  isAnyOpen(run: string, within: Queryable): Promise<boolean>;
  /** Removes all that is left of the jobs of a run. */
  closeQueue(run: string): Promise<void>;
}
