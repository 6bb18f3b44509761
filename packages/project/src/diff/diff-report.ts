import type { JsonObject, JsonValue, MadeWith, NodeStatus, RowId, RunComparison } from '@unroll/engine';
import type { ChangeKind, NodeDiff, PairClass, RunDiff, RunGraph, ValueChange } from '@unroll/evals';
import type { ComparedRuns } from './compared-runs.ts';

/** Everything there is to tell of two runs, before it is printed in one form or another. */
export interface DiffReport {
  readonly left: ReportedRun;
  readonly right: ReportedRun;
  readonly isSame: boolean;
  readonly verdict: string;
  readonly pairedBy: RunComparison['pairedBy'];
  /** Name of the input or column, with `pairedBy: 'key'`. */
  readonly key?: string;
  /** Instances of a loop's node are told one by one. */
  readonly isByIteration: boolean;
  readonly diff: RunDiff;
  readonly graph: RunGraph;
  /** Metrics that nodes over all rows logged, of which the two runs have other values. */
  readonly metrics: readonly MetricDiff[];
  /** The nodes that were asked for. */
  readonly nodes: readonly NodeDiff[];
  /** The first row pairs in which one of them differs as asked for. */
  readonly rows: readonly RowReport[];
  /** How many such pairs there are. */
  readonly rowsFound: number;
  /** First rows that only one run has. */
  readonly onlyLeft: readonly RowId[];
  readonly onlyRight: readonly RowId[];
  /** What a page of all pairs is made from, without comparing the runs again. */
  readonly compared: () => ComparedRuns;
}

/** Undefined on the side of a run that did not log it. */
export interface MetricDiff {
  readonly name: string;
  readonly left: JsonValue | undefined;
  readonly right: JsonValue | undefined;
}

export interface ReportedRun {
  /** Its record's: a copy of a record says the id of the run it was made of. */
  readonly id: string;
  /** As it can be typed. */
  readonly path: string;
  /** Where its record is: an absolute path, or one at an engine. */
  readonly place: string;
  readonly flow: string;
  readonly flowPath: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly madeWith?: MadeWith;
}

export interface RowReport {
  readonly left: RowId;
  readonly right: RowId;
  /** Inputs of the right run. */
  readonly inputs: JsonObject;
  readonly inputChanges: readonly ValueChange[];
  /** How the rows ended, where that differs. */
  readonly ended?: { readonly left: string; readonly right: string };
  /** Outputs of the flow. */
  readonly outputChanges: readonly ValueChange[];
  /** Nodes told in full. */
  readonly nodes: readonly NodeReport[];
  /** Other nodes that differ, by name. */
  readonly others: readonly OtherNode[];
}

interface OtherNode {
  readonly node: string;
  readonly kind: ChangeKind;
}

export interface NodeReport {
  readonly node: string;
  readonly class: PairClass;
  readonly kind: ChangeKind;
  /** `prompt changed`, `agent_1 → function_1 → agent_2` … */
  readonly why: string;
  readonly left: NodeResult;
  readonly right: NodeResult;
  /** Where its definition changed: what became of the messages as the model was sent them, `prompt[0].content` … */
  readonly promptChanges: readonly ValueChange[];
  readonly changes: readonly ValueChange[];
}

export interface NodeResult {
  /** Absent where there is no record. */
  readonly status?: NodeStatus;
  /** Its output; `{error: …}` where it failed. */
  readonly value: JsonValue;
}
