import type { JsonObject, JsonValue, SourceFile, YamlDocument } from '@unroll/engine';
import type { Evaluator } from '../evaluators/evaluator.ts';
import type { Step, Target } from '../targets/target.ts';

/** An `eval.yaml`, read: what to run, over which rows, and what to measure. Paths are as written, seen from its folder. */
export interface EvalSpec {
  readonly file: SourceFile;
  /** Absent: the name of its folder. */
  readonly name?: string;
  /** What is evaluated: a flow that is run over the data, or a run that is there already. */
  readonly flow?: string;
  readonly run?: string;
  /** Absent for a run: its own inputs are the rows then. */
  readonly data?: string;
  /** Column or input that tells rows apart. */
  readonly key?: string;
  readonly columnMapping?: JsonObject;
  readonly variant?: string;
  readonly init?: JsonObject;
  readonly environment?: JsonObject;
  /** `{node: {connection: name}}`. */
  readonly connections?: JsonObject;
  /** Of the intervals. */
  readonly seed: number;
  readonly metrics: readonly MetricSpec[];
  /** Columns by whose values the scores are told apart. */
  readonly slices: readonly SliceSpec[];
  readonly locate: YamlDocument['locate'];
}

/** A column of the data, or what lies in it. */
export interface SliceSpec {
  /** As it is shown: `lang`, `expected.kind`. */
  readonly column: string;
  /** As a reference has it: `row.lang`. */
  readonly text: string;
  readonly steps: readonly Step[];
  /** In the file; absent where it is named elsewhere. */
  readonly path?: readonly (string | number)[];
}

export interface MetricSpec {
  readonly name: string;
  /** Absent: the row as a whole. */
  readonly on?: Target;
  /** As written: `recall@5`. */
  readonly evaluatorName: string;
  readonly evaluator: Evaluator;
  /** Checked, with defaults. */
  readonly parameters: JsonObject;
  readonly expected?: Source;
  /** Parameters that are read again for each row. */
  readonly reads: Readonly<Record<string, Source>>;
  readonly gate?: GateSpec;
  /** Index in the file. */
  readonly place: number;
}

/** What of a metric could be read, for checks of the rest. */
export type PartialMetric = Pick<MetricSpec, 'place' | 'reads'> &
  Partial<Pick<MetricSpec, 'name' | 'on' | 'evaluator' | 'expected' | 'parameters'>> & {
    /** What is wrong with `on` was told. */
    readonly isOnWrong?: boolean;
  };

/** What of an evaluation could be read though something in it is wrong. */
export interface PartialEval
  extends Pick<EvalSpec, 'locate'>,
    Partial<Pick<EvalSpec, 'flow' | 'run' | 'data' | 'key' | 'columnMapping' | 'variant' | 'connections' | 'slices'>> {
  readonly metrics: readonly PartialMetric[];
}

/** Where a value is taken from, for each row. */
export type Source =
  | { readonly from: 'literal'; readonly value: JsonValue }
  /** `${row.expected.ids}`: a column of the data, or what lies in it. */
  | { readonly from: 'column'; readonly text: string; readonly steps: readonly Step[]; readonly isImplied: boolean }
  | { readonly from: 'list'; readonly members: readonly Source[] }
  | { readonly from: 'mapping'; readonly members: Readonly<Record<string, Source>> }
  /** `${outputs.answer}`, `${agent_1.content}`. */
  | { readonly from: 'target'; readonly target: Target };

export interface GateSpec {
  readonly min?: number;
  readonly max?: number;
  readonly noWorseThan?: 'baseline';
  /** How much worse than the baseline is accepted, in units of the metric; without it nothing that is significant is. */
  readonly margin?: number;
  /** Least Cohen's kappa of the metric with the labels of people. */
  readonly agreement?: number;
  /** Rows without a score because the run or the evaluator failed that are put up with. */
  readonly errors: number;
  readonly eachSlice?: SliceGate;
}

/** What is asked of a metric among the rows of each value of the columns by which scores are told apart. */
export interface SliceGate {
  readonly min?: number;
  readonly max?: number;
  readonly noWorseThan?: 'baseline';
  /** Scores that a slice must have to be judged; 1 where absent. */
  readonly rows?: number;
}
