import {
  checkYamlEncoding,
  type Diagnostic,
  type JsonObject,
  maxWritten,
  nearestName,
  parseYaml,
  plainNumber,
  type SourceFile,
  type YamlDocument,
} from '@unroll/engine';
import type { Evaluator } from '../evaluators/evaluator.ts';
import { checkEvalShape } from './check-eval-shape.ts';
import { meantKey, problem } from './eval-problem.ts';
import { topKeys } from './eval-schema.ts';
import type { EvalSpec, MetricSpec, PartialEval } from './eval-spec.ts';
import { misspeltKeys } from './metric-mistakes.ts';
import { type FindEvaluator, readMetric } from './read-metric.ts';
import { readSlices } from './read-slices.ts';

export interface ParseEvalOptions {
  readonly evaluators: readonly Evaluator[];
  /** Evaluators in files beside the evaluation. */
  readonly find?: FindEvaluator;
  /** A run that is named elsewhere is scored: the flow is not run, and needs no data. */
  readonly scoresRun?: boolean;
  /** Columns by which scores are told apart, in place of those that the file names. */
  readonly slices?: readonly string[] | undefined;
}

export interface ParsedEval {
  /** Absent where there is an error. */
  readonly spec?: EvalSpec;
  /** What can be looked at further, also where there are errors. */
  readonly partial?: PartialEval;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads an eval.yaml; every mistake that can be seen without flow and data, at once. */
export function parseEval(
  file: SourceFile,
  { evaluators, find = () => undefined, scoresRun = false, slices: given }: ParseEvalOptions,
): ParsedEval {
  const wrongEncoding = checkYamlEncoding(file);
  if (wrongEncoding.length > 0) return { diagnostics: wrongEncoding };
  const document = parseYaml(file, { longest: maxWritten });
  if (document.value === undefined) return { diagnostics: document.diagnostics };
  const shape = checkEvalShape(document, file);
  const root = (isMapping(document.value) ? document.value : {}) as JsonObject;
  const written = Array.isArray(root['metrics']) ? root['metrics'] : [];
  const read = written.map((_, place) => readMetric(document, place, evaluators, find));
  const metrics = read.flatMap(({ metric }) => metric ?? []);
  const { slices, diagnostics: wrongSlices } = readSlices(document, root, given);
  const partials = read.flatMap((one) => one.partial ?? []);
  const diagnostics = [
    ...document.diagnostics,
    ...shape,
    ...read.flatMap((one) => one.diagnostics),
    ...partials.flatMap(({ evaluator, place }) => (evaluator === undefined ? misspeltKeys(document, place) : [])),
    ...namedTwice(document, written),
    ...checkSubject(document, root, scoresRun),
    ...wrongSlices,
    ...(slices.length > 0 || wrongSlices.length > 0 ? [] : gatesWithoutSlices(document, metrics)),
  ];
  const spec = { ...specOf(file, document, root, metrics), slices };
  const partial = { ...spec, metrics: partials };
  return { ...(diagnostics.some(({ severity }) => severity === 'error') ? {} : { spec }), partial, diagnostics };
}

function specOf(
  file: SourceFile,
  document: YamlDocument,
  root: JsonObject,
  metrics: readonly MetricSpec[],
): Omit<EvalSpec, 'slices'> {
  const keys = {
    name: root['name'],
    flow: root['flow'],
    run: root['run'],
    data: root['data'],
    key: root['key'],
    columnMapping: root['column_mapping'],
    variant: root['variant'],
    init: root['init'],
    environment: root['environment_variables'],
    connections: root['connections'],
  };
  const isRight = (key: string, value: unknown): boolean =>
    ['columnMapping', 'init', 'environment', 'connections'].includes(key)
      ? isMapping(value)
      : typeof value === 'string';
  const given = Object.entries(keys).filter(([key, value]) => (value ?? null) !== null && isRight(key, value));
  return {
    ...(Object.fromEntries(given) as Partial<EvalSpec>),
    file,
    seed: plainNumber(root['seed']) ?? 1,
    metrics,
    locate: document.locate,
  };
}

/** Gates that are asked of each slice, where scores are told apart by nothing. */
function gatesWithoutSlices(document: YamlDocument, metrics: readonly MetricSpec[]): readonly Diagnostic[] {
  const asking = metrics.filter(({ gate }) => gate?.eachSlice !== undefined);
  return asking.map(({ name, place }) =>
    problem(document, 'EVAL_GATE', `the gate of metric "${name}" asks something of each slice, and there is none`, {
      path: ['metrics', place, 'gate', 'each_slice'],
      part: 'key',
      help: 'name the columns that tell rows apart at the top of the file: slices: [lang]',
    }),
  );
}

function namedTwice(document: YamlDocument, metrics: readonly unknown[]): readonly Diagnostic[] {
  const names = metrics.map((metric) => (metric as { readonly name?: unknown } | null)?.name);
  return names.flatMap((name, place) => {
    const first = names.indexOf(name);
    if (typeof name !== 'string' || first === place) return [];
    const before = document.locate(['metrics', first, 'name']);
    const found = problem(document, 'EVAL_DUPLICATE_METRIC', `two metrics are called "${name}"`, {
      path: ['metrics', place, 'name'],
    });
    const note = { message: 'the first one', ...(before === undefined ? {} : { span: before }) };
    return [{ ...found, notes: [note] }];
  });
}

/** What is evaluated is one flow, with data, or one run. */
function checkSubject(document: YamlDocument, root: JsonObject, scoresRun: boolean): readonly Diagnostic[] {
  const [flow, run, data] = [root['flow'] ?? null, root['run'] ?? null, root['data'] ?? null];
  const isMeant = Object.keys(root).some(
    (key) => !topKeys.includes(key) && nearestName(key, ['flow', 'run']) !== undefined,
  );
  if (flow === null && run === null && !isMeant && Object.keys(root).length > 0) {
    const help = 'name a flow, to run it over the data, or a run that is there already';
    return [problem(document, 'EVAL_SUBJECT', 'the evaluation names neither a flow nor a run', { path: [], help })];
  }
  if (flow !== null && run !== null) {
    const help = 'leave one of them out; --run RUN takes another run for once';
    return [
      problem(document, 'EVAL_SUBJECT', 'the evaluation names both a flow and a run', {
        path: ['run'],
        part: 'key',
        help,
      }),
    ];
  }
  const isDataMeant = Object.keys(root).some((key) => !topKeys.includes(key) && meantKey(key, topKeys) === 'data');
  if (flow === null || data !== null || isDataMeant || scoresRun) return [];
  const help = 'name a file with the rows: data: cases.jsonl';
  return [
    problem(document, 'EVAL_SUBJECT', 'there is no data to run the flow over', { path: ['flow'], part: 'key', help }),
  ];
}

function isMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
