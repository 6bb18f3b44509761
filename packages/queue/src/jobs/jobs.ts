import type { Queryable } from '../database/database.ts';

/** What is to be done for a run. */
export type Work =
  /** Runs the rows of a chunk; `isLeft`: some of them may have run, since a worker that had it handed it back. */
  | { readonly kind: 'rows'; readonly chunk: number; readonly isLeft?: true }
  /** Runs the aggregation nodes and ends the run. */
  | { readonly kind: 'finish' };

/** A job that this process has taken and nobody else does, as long as it is kept. */
export interface TakenJob {
  readonly run: string;
  readonly id: string;
  readonly work: Work;
  /** How often it was taken before and not completed. */
  readonly retryCount: number;
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
  /**
   * Says that a job is still worked on; without a word in 10 seconds it is given to another worker.
   *
   * @returns whether it is still this process's
   */
  keep(job: TakenJob, within?: Queryable): Promise<boolean>;
  /** @returns false where the job was given to another worker */
  complete(job: TakenJob, within: Queryable): Promise<boolean>;
  /** Gives a job back, so that another worker takes it at once. */
  giveBack(job: TakenJob, within: Queryable): Promise<void>;
  /** Takes away the jobs of a run that nobody has taken. */
  dropQueued(run: string): Promise<void>;
  /** Whether somebody is at work on a job of the run, as far as anybody knows. */
  isAnyActive(run: string): Promise<boolean>;
  /** Work of the jobs that were taken again and again and never completed. */
  givenUp(run: string): Promise<readonly Work[]>;
  /** Removes all that is left of the jobs of a run. */
  closeQueue(run: string): Promise<void>;
}
