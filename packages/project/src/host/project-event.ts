import type { Plan, RunEvent } from '@unroll/engine';
import type { Notice } from './notice.ts';
import type { RunOutcome, RunRecord } from './run-outcome.ts';
import type { ProgressView } from './run-progress.ts';

/**
 * Everything that happens while a project does something, in the order in which it happens: what prints, counts or traces is
 * a listener.
 *
 *     run-started  (row-started  (node-started  text…  node-ended)…  row-ended)…  rows-ended  run-ended
 *
 * Rows, and nodes of a row, overlap. Aggregation nodes come after the rows. A run over data that fails ends with `rows-ended`
 * and no `run-ended`: its failure is that of the operation. A notice comes whenever there is something to say.
 */
export type ProjectEvent =
  | RunEvent
  | SingleRunStarted
  | DatasetRunStarted
  /** No new rows start, those in flight finish: it was asked to stop, or a budget is reached, which is told then. */
  | { readonly type: 'run-stopping'; readonly budget?: string | undefined }
  /** No row is under way any more; `stopped`: there were rows left. */
  | { readonly type: 'rows-ended'; readonly stopped: boolean }
  | { readonly type: 'run-ended'; readonly outcome: RunOutcome }
  /** Judges of an evaluation are about to be asked. */
  | { readonly type: 'judging-started' }
  /** A run is about to begin in which outputs of a node, or of a family of nodes, are given to so many rows. */
  | { readonly type: 'outputs-given'; readonly node: string; readonly rows: number }
  | NoticeEvent;

/** A run of one row of a flow, or of one node of it alone, begins. */
export interface SingleRunStarted {
  readonly type: 'run-started';
  readonly kind: 'row' | 'node';
  readonly plan: Plan;
  readonly record: RunRecord;
}

/** A run over data begins, or goes on. */
export interface DatasetRunStarted {
  readonly type: 'run-started';
  readonly kind: 'dataset';
  readonly plan: Pick<Plan, 'name'>;
  readonly record: RunRecord;
  readonly isResumed: boolean;
  /** Nodes whose outputs are given, where an evaluation asks what right outputs would gain. */
  readonly given?: readonly string[] | undefined;
  /** Where the rows come from; absent where they are those of an earlier run. */
  readonly data?: string | undefined;
  /** Where they come from, for people. */
  readonly about: string;
  /** Rows with their repeats; absent where nobody counted them. */
  readonly total?: number | undefined;
  /** How the run stands, whenever it is asked. */
  readonly progress: () => ProgressView;
}

/** Something doubtful was met; it is said beside the result. */
export interface NoticeEvent {
  readonly type: 'notice';
  readonly notice: Notice;
}

/** Hears everything, called at once and not waited for. */
export type Reporter = (event: ProjectEvent) => void;

/** One reporter that hands on to several, in their order. */
export function reportToAll(reporters: readonly Reporter[]): Reporter {
  return (event) => {
    for (const report of reporters) report(event);
  };
}
