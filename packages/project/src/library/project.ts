import type {
  DataSource,
  JsonObject,
  OpenDataOptions,
  RowFormat,
  RunDamage,
  RunMarks,
  RunReader,
} from '@unroll/engine';
import type { Chat } from '../chat/chat.ts';
import type { DiffReport } from '../diff/diff-report.ts';
import type { AcceptedBaseline } from '../evaluation/accept-baseline.ts';
import type { OracleReport } from '../evaluation/oracle-runs.ts';
import type { NodeExplanation, WhyAbout, WhySettings } from '../explain/explain-row.ts';
import type { CheckSettings, FlowCheck } from '../flows/check-flow.ts';
import type { FoundFlow } from '../flows/find-flow.ts';
import type { RunPlan } from '../forecast/plan-dataset.ts';
import type { NodeOutcome, RowOutcome, RunRecord } from '../host/run-outcome.ts';
import type { Parity } from '../parity/run-parity.ts';
import type { RunMarksChange } from '../records/run-marks.ts';
import type { ImportedRun } from '../run-catalog/import-run.ts';
import type { RunStanding } from '../run-catalog/run-standing.ts';
import type { RunSummary } from '../run-catalog/run-summary.ts';
import type { KeptRun, RunLimits } from '../run-catalog/surplus-runs.ts';
import type { Connections } from './connection-operations.ts';
import type { EvaluationRun } from './evaluation-operations.ts';
import type { SearchIndexes } from './index-operations.ts';
import type { Operation } from './operation.ts';
import type { AskedNode, DatasetRun, DatasetRunEvent, RowRunEvent } from './run-operations.ts';
import type {
  ChatSettings,
  DatasetRunSettings,
  DiffSettings,
  EvaluationSettings,
  NodeRunSettings,
  OracleRunSettings,
  ParitySettings,
  ResumeRunSettings,
  RowRunSettings,
} from './settings.ts';
import type { AnyFlow, FlowShape, TypedFlow } from './typed-flow.ts';

/**
 * Flows in a folder, their runs and evaluations. Paths are seen from the folder. Whatever cannot be done ends with a
 * `ProjectFailure`: thrown, or as the rejected `result` of an operation.
 */
export interface Project {
  /** Absolute. */
  readonly folder: string;
  readonly flows: {
    /** The flow a folder or file holds. */
    find(flow: string): FoundFlow;
    /** All below the project's folder, folders of libraries and hidden ones apart. */
    list(): readonly FoundFlow[];
  };
  /** All mistakes of a flow, with their places. */
  check(flow: string | undefined, settings?: CheckSettings): Promise<FlowCheck>;
  /** One row, its events as they happen. */
  runRow(flow: string | undefined, inputs: JsonObject, settings?: RowRunSettings): Operation<RowRunEvent, RowOutcome>;
  /** A flow with the types of its inputs and outputs, as `flow types` writes them. */
  flow<Shape extends FlowShape = AnyFlow>(flow: string | undefined): TypedFlow<Shape>;
  /** One node alone, with given inputs, or with those that it had in the run `from`. */
  runNode(flow: string | undefined, asked: AskedNode, settings?: NodeRunSettings): Operation<RowRunEvent, NodeOutcome>;
  /** A chat with a flow; each turn is a row of one record. To be closed by who opens it. */
  chat(flow: string | undefined, inputs?: JsonObject, settings?: ChatSettings): Promise<Chat>;
  /** All rows of a dataset, or of an earlier run. */
  runDataset(flow: string | undefined, settings: DatasetRunSettings): DatasetRun;
  /** Goes on with the rows that a run is missing. */
  resume(run: string, settings?: ResumeRunSettings): DatasetRun;
  /** Goes on with the rows that a run is missing, and with those that failed. */
  retryFailed(run: string, settings?: ResumeRunSettings): DatasetRun;
  /** What a run over data would ask of models and what that costs; nothing is asked. */
  plan(flow: string | undefined, settings: DatasetRunSettings): Promise<RunPlan>;
  readonly runs: Runs;
  /** The flow run again on the rows of a run, one imported from Prompt flow above all, and what then differs. */
  parity(flow: string | undefined, run: string, settings?: ParitySettings): Operation<DatasetRunEvent, Parity>;
  /** What two runs differ in, and why. Without the second the newest; without the first the one before it of its flow. */
  diff(before: string | undefined, after: string | undefined, settings?: DiffSettings): Promise<DiffReport>;
  /** The flow of an evaluation run over its data, or a run that is there, scored and compared. */
  evaluate(evaluation: string, settings?: EvaluationSettings): EvaluationRun;
  /** The same for an evaluation that must have gates, and a baseline where a gate asks for one. */
  gate(evaluation: string, settings?: EvaluationSettings): EvaluationRun;
  /** Writes what an evaluation comes to as the baseline that later ones are held to. */
  acceptBaseline(evaluation: string, settings?: EvaluationSettings): Operation<DatasetRunEvent, AcceptedBaseline>;
  /** What the end scores of an evaluation gain where outputs of nodes are given. */
  oracle(evaluation: string, settings?: OracleRunSettings): Operation<DatasetRunEvent, OracleReport>;
  /** For each node of a row, what changed since an earlier run, or from where its output was taken. */
  why(
    run: string | undefined,
    settings?: WhySettings,
  ): Promise<WhyAbout & { readonly nodes: readonly NodeExplanation[] }>;
  /** The rows of a run as a table, text or bytes, part by part. */
  export(run: string | undefined, settings?: ExportSettings): AsyncIterable<string | Uint8Array>;
  readonly connections: Connections;
  readonly indexes: SearchIndexes;
  readonly datasets: {
    open(data: string, options?: Pick<OpenDataOptions, 'format' | 'encoding'>): Promise<DataSource>;
  };
}

/**
 * Runs by name: an id, the start of one that only one run has, the file of a record, or `latest`, which stands for no name too; those
 * of the folder, and of the engine where there is one.
 */
export interface Runs {
  /** Where they are kept, absolute. */
  readonly folder: string;
  /** Newest first: those of the folder, or those of the engine. */
  list(settings?: {
    readonly limit?: number | undefined;
    readonly at?: 'folder' | 'engine';
    /** Only those that have it. */
    readonly tag?: string | undefined;
  }): Promise<readonly RunSummary[]>;
  /** The record that a name stands for. */
  find(run?: string): Promise<RunRecord>;
  /** What the list says of one. */
  summary(run?: string): Promise<RunSummary>;
  /** To be closed by who opens it. Of rows that are damaged it is told. */
  open(run?: string): Promise<RunReader>;
  /** How a run over data stands: its rows, nodes, failures, tokens and cost. */
  standing(run?: string): Promise<RunStanding>;
  /** Whether a process is at work on it. */
  isRunning(run?: string): Promise<boolean>;
  /** Says something of a run: a name, a note, tags. Its record stays as it is. @returns what is said of it then */
  mark(run: string, change: RunMarksChange): Promise<RunMarks>;
  remove(run: string): Promise<void>;
  /** All records of the folder, those of oracle runs among them, newest first. */
  kept(): Promise<readonly KeptRun[]>;
  /** Those that are older, or beyond number or size counted from the newest; none of them is under way. */
  surplus(limits: RunLimits): Promise<readonly KeptRun[]>;
  /** Makes a record of a run folder of Prompt flow. */
  import(folder: string, settings?: { readonly name?: string | undefined }): Promise<ImportedRun>;
  /** Reads all of a record. @returns what of it is damaged */
  check(run: string): Promise<readonly RunDamage[]>;
}

export interface ExportSettings {
  /** `jsonl` where it is not said. */
  readonly format?: RowFormat;
  /** Records of nodes in place of rows. */
  readonly nodes?: boolean;
}
