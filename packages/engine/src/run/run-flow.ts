import type { FingerprintInputs } from '../node/fingerprint-inputs.ts';
import type { Plan } from '../plan/plan.ts';
import type { NodeRun, RowRun } from '../record/node-run.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { JsonObject, JsonValue } from '../value/json.ts';
import type { NodeForecast, RowPlace } from './forecast-row.ts';
import type { NodeEvent } from './run-event.ts';

/** A flow whose templates are compiled, code loaded and connections opened: any number of rows can run on it. */
export interface RunnableFlow extends AsyncDisposable {
  readonly plan: Plan;
  /**
   * Knows the secrets of this flow: nothing that the flow tells (records, events, outputs) holds one. Those that are inputs of a row
   * are known for that row alone.
   */
  readonly redactor: Redactor;
  /** What each node is made of, by name; empty unless fingerprints were asked for. */
  readonly definitions: Readonly<Record<string, FingerprintInputs>>;
  /**
   * Nodes whose code did so far what nobody can compare (`network`, `child process`), by name: an output of theirs is not
   * taken by a later run. Those whose definition says by `cache` what is to become of their outputs are left out.
   */
  unseen(): Readonly<Record<string, readonly string[]>>;
  /**
   * Files of code of which rows so far had more than one version, since a worker or a thread that is started later loads what is there
   * then. Empty unless fingerprints were asked for.
   */
  codeChanged(): readonly string[];
  /**
   * Names of the parts that code read in an earlier attempt at this run and that are another thing now, by node; nothing of
   * what nobody can compare. Empty unless fingerprints were asked for.
   *
   * @param earlier what the record of that attempt holds, by node
   */
  changedReads(
    earlier: Readonly<Record<string, FingerprintInputs>>,
  ): Promise<Readonly<Record<string, readonly string[]>>>;
  /** Runs one row; never throws for a failure of the world. */
  runRow(inputs: JsonObject, options?: RowOptions): Promise<RowResult>;
  /** What the nodes would do for a row; runs none but those that only compute. Empty where the inputs do not fit. */
  forecastRow(inputs: JsonObject, place: RowPlace): Promise<readonly NodeForecast[]>;
  /** Runs the aggregation nodes once over the completed rows, which are gone through once. */
  runAggregation(rows: RowResults, options?: RowOptions): Promise<AggregationResult>;
  /** Runs one node alone; `inputs` are keyed by the node's input names. With `finished`, those it may have its inputs from. */
  runNode(node: string, inputs: JsonObject, options?: RowOptions): Promise<NodeRun>;
}

export interface RowOptions {
  readonly runId?: string;
  /** Index of the row, from 0. */
  readonly line?: number;
  /** Which repetition of the row, from 0. */
  readonly repeat?: number;
  /** Whether it is of no dataset: what is wrong in its inputs is told without its line. */
  readonly isAlone?: boolean;
  /** Records of nodes that ended for this row in an earlier attempt: they are not run again. */
  readonly finished?: ReadonlyMap<string, NodeRun>;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: NodeEvent) => void;
  /** Which answers of models are asked for piece by piece, and told as events; absent: none. */
  readonly streaming?: Streaming;
  /** Knows the secrets of this row beside those of the flow; made by the flow itself. */
  readonly redactor?: Redactor;
}

export interface Streaming {
  /** `answers`: of nodes whose output is an output of the flow and goes to no other node. */
  readonly nodes: 'answers' | 'all';
  /** Whether tokens are asked for too, by an option that not every service knows. */
  readonly tokens: boolean;
}

export interface RowResult {
  readonly row: RowRun;
  /** One record a node, in plan order; nodes that did not run are there as `NotRun`. Aggregation nodes are not. */
  readonly nodes: readonly NodeRun[];
}

/** Rows to aggregate over, in their order, as a record gives them or as they are at hand. */
export type RowResults = AsyncIterable<RowResult> | Iterable<RowResult>;

export interface AggregationResult {
  readonly nodes: readonly NodeRun[];
  readonly metrics: Readonly<Record<string, JsonValue>>;
}

/** What reading a flow gives: always the diagnostics, and the plan when none of them is an error. */
export interface CheckedFlow {
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}
