import type { ScoredEvaluation } from '../evaluation/scored-evaluation.ts';
import type { FoundEvaluation, ScoredRecord } from './evaluations.ts';
import type { GivenDiff } from './held-diffs.ts';
import type { RunLabels } from './row-labels.ts';

export interface StudioSettings {
  readonly isReadOnly: boolean;
  /** Ids of runs it was opened for. */
  readonly opened: readonly string[];
  /** Answers are kept for who has no server: each waits until it is whole. */
  readonly isExport?: boolean;
  /** Places of records that need not be among the runs of the folder, by their ids. */
  readonly records?: ReadonlyMap<string, string>;
  /** The one evaluation that is shown, with what it came to: nothing is scored again. */
  readonly scored?: ScoredEvaluation;
  /** The one comparison that is shown: neither run is compared again. */
  readonly compared?: GivenDiff;
}

/** Sentences are told in it; what was recorded is as it is. */
export type Language = 'en' | 'ja';

/** By which evaluation a run is looked at, and what it is compared with; what is not said is found. */
export interface Lens {
  /** Its path; `none`: none. */
  readonly evaluation?: string | undefined;
  /** Id of a run; `none`: none. */
  readonly against?: string | undefined;
  /** English where it is not said. */
  readonly language?: Language | undefined;
}

/** What scores a run, or why nothing does; what people say of its rows. */
export interface Seen {
  readonly evaluations: readonly FoundEvaluation[];
  readonly scored?: ScoredRecord;
  /** Without those that are read still. */
  readonly labels: RunLabels;
  readonly problem?: string;
  readonly isPending: boolean;
}
