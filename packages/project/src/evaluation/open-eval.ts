import { resolve } from 'node:path';
import {
  type DataSource,
  type Diagnostic,
  type FlowInputSpec,
  firstOf,
  flowFilesOf,
  locateFlow,
  nearestSpan,
  openData,
  preventsRun,
  type RunInfo,
  readSourceFile,
} from '@unroll/engine';
import {
  checkColumns,
  checkDerived,
  checkEval,
  type EvalSpec,
  evaluators,
  type FindEvaluator,
  findMissingColumns,
  type Measurable,
  measurableIn,
  type PartialEval,
  parseEval,
} from '@unroll/evals';
import { compose } from '../connections/compose.ts';
import { nearestPath } from '../host/nearest-path.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { findRun } from '../records/find-run.ts';
import { openRecord } from '../records/open-record.ts';
import { flowDigest, runInfoOf } from '../records/run-info.ts';
import { checkChoices, checkEvaluatorConnections } from './check-choices.ts';
import { checkJudges } from './check-judges.ts';
import type { EvalFile } from './find-eval.ts';

/** An evaluation that can be made, or all that is wrong with it. */
export interface OpenedEval {
  readonly spec?: EvalSpec;
  readonly data?: DataSource;
  /** File of the run that is to be scored; the flow is to be run where absent. */
  readonly record?: string;
  /** Of the flow that is to be run, or was. */
  readonly flowName?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads an evaluation and checks it against its data and against what it measures.
 *
 * @param run to score in place of what the evaluation names
 * @param find evaluators in files beside it
 * @throws ProjectFailure when there is no such run
 */
export async function openEval(
  found: EvalFile,
  { run, connectionsFile }: { readonly run?: string | undefined; readonly connectionsFile?: string | undefined },
  host: ProjectHost,
  find: FindEvaluator = () => undefined,
): Promise<OpenedEval> {
  const source = readSourceFile(found.file, host.folder);
  const parsed = parseEval(source, { evaluators, find, scoresRun: run !== undefined });
  const { partial } = parsed;
  if (partial === undefined) return { diagnostics: parsed.diagnostics };
  const named = await namedRun(run, partial, found, host);
  const subject = await openSubject(named, partial, found, connectionsFile, host);
  const data = await openRows(partial, found, named.file === undefined ? undefined : host);
  const diagnostics = [
    ...parsed.diagnostics,
    ...(named.problem === undefined ? [] : [named.problem]),
    ...checkDerived(partial),
    ...[...subject.diagnostics, ...data.diagnostics],
    ...(await checkNames(partial, subject, data.source)),
    ...checkJudges(partial, found.folder, connectionsFile, host),
    ...checkEvaluatorConnections(partial, compose(host, found.folder, connectionsFile).connections),
  ];
  return {
    ...(parsed.spec === undefined ? {} : { spec: parsed.spec }),
    ...(named.file === undefined ? {} : { record: named.file }),
    ...(data.source === undefined ? {} : { data: data.source }),
    ...(subject.flowName === undefined ? {} : { flowName: subject.flowName }),
    diagnostics,
  };
}

/** What metrics, key and column mapping name and flow and data do not have. */
async function checkNames(
  spec: PartialEval,
  { measurable, flowInputs }: Subject,
  data: DataSource | undefined,
): Promise<readonly Diagnostic[]> {
  const empty = data === undefined ? undefined : await whyNoRows(spec, data);
  if (empty !== undefined) return [empty, ...(measurable === undefined ? [] : checkEval(spec, measurable, []))];
  const missing = data === undefined ? [] : await findMissingColumns(spec, data.rows());
  if (measurable === undefined) return [];
  const columns = data === undefined ? [] : await checkColumns(spec, { ...measurable, flowInputs }, data.rows());
  return [...checkEval(spec, measurable, missing), ...columns];
}

/** Data of which no row can be read would be told by every metric. */
async function whyNoRows(spec: PartialEval, data: DataSource): Promise<Diagnostic | undefined> {
  let first: string | undefined;
  for await (const row of data.rows()) {
    if (!('problem' in row)) return undefined;
    first ??= row.problem;
  }
  const message = first === undefined ? 'the data has no rows' : `no row of the data can be read: ${first}`;
  const help = 'a row is an object, in jsonl one a line: {"question": "…", "expected": {…}}';
  return { severity: 'error', code: 'EVAL_SUBJECT', message, span: nearestSpan(spec, ['data'], 'value'), help };
}

interface NamedRun {
  readonly file?: string;
  readonly problem?: Diagnostic;
}

/**
 * The record of the run that is named on the command line, else in the file: then what is wrong with it has a place there.
 *
 * @throws ProjectFailure when the one on the command line is not there
 */
async function namedRun(
  given: string | undefined,
  spec: PartialEval,
  { folder }: EvalFile,
  host: ProjectHost,
): Promise<NamedRun> {
  if (given !== undefined) return { file: await findRun(given, host) };
  if (spec.run === undefined) return {};
  try {
    return { file: await findRun(spec.run.endsWith('.run') ? resolve(folder, spec.run) : spec.run, host) };
  } catch (error) {
    if (!(error instanceof ProjectFailure)) throw error;
    const { message, help } = error;
    const span = nearestSpan(spec, ['run'], 'value');
    return { problem: { severity: 'error', code: 'EVAL_SUBJECT', message, span, help } };
  }
}

function openSubject(
  { file, problem }: NamedRun,
  spec: PartialEval,
  found: EvalFile,
  connectionsFile: string | undefined,
  host: ProjectHost,
): Promise<Subject> | Subject {
  if (file !== undefined) return measurableOfRecord(file, spec, found, host);
  if (problem !== undefined) return { diagnostics: [] };
  return measurableOfFlow(spec, found, host, connectionsFile);
}

interface Subject {
  readonly measurable?: Measurable;
  readonly flowName?: string;
  /** Of a flow that will be run. */
  readonly flowInputs?: readonly FlowInputSpec[];
  readonly diagnostics: readonly Diagnostic[];
}

async function measurableOfRecord(
  record: string,
  spec: PartialEval,
  found: EvalFile,
  host: ProjectHost,
): Promise<Subject> {
  await using store = await openRecord(record, host);
  const first = await firstOf(store.readRows({ nodes: [], ends: [] }));
  const inputs = first === undefined ? undefined : Object.keys(first.inputs);
  return {
    measurable: { ...measurableIn(store.info), inputs },
    flowName: store.info.flowName,
    diagnostics: otherFlow(store.info, spec, found, host),
  };
}

/** Runs of two flows may be compared; that one is of another flow is told all the same. */
function otherFlow(info: RunInfo, spec: PartialEval, { folder }: EvalFile, host: ProjectHost): readonly Diagnostic[] {
  if (spec.flow === undefined) return [];
  const [own, of] = [resolve(folder, spec.flow), resolve(host.folder, info.flowPath)].map(locateFlow);
  if (own?.ok !== true || of?.ok !== true || own.file === of.file) return [];
  const message = `run ${info.id} is one of flow ${info.flowPath}, not of this flow; it is scored all the same`;
  return [{ severity: 'warning', code: 'EVAL_SUBJECT', message, span: nearestSpan(spec, ['flow'], 'value') }];
}

/** A flow with mistakes of its own shows them when it is to run; its nodes are known all the same where it has a plan. */
function measurableOfFlow(
  spec: PartialEval,
  { folder }: EvalFile,
  host: ProjectHost,
  connectionsFile: string | undefined,
): Subject {
  if (spec.flow === undefined) return { diagnostics: [] };
  const located = locateFlow(resolve(folder, spec.flow));
  if (!located.ok)
    return { diagnostics: [subjectProblem(spec, 'flow', located.message, resolve(folder, spec.flow), spec.flow)] };
  const { files } = flowFilesOf(located, host.folder);
  const { variant, connections } = spec;
  const choices = { variant, connections, path: [] };
  const { plan, diagnostics, wrong } = checkChoices(choices, spec, readSourceFile(located.file, host.folder), {
    ...compose(host, located.folder, connectionsFile),
    files,
  });
  if (plan === undefined) return { diagnostics: diagnostics.filter(preventsRun) };
  const info = runInfoOf(plan, flowDigest(plan, files), { id: '', flowPath: spec.flow, startedAt: 0 });
  const measurable = { ...measurableIn(info), inputs: plan.inputs.map(({ name }) => name) };
  return { measurable, flowName: plan.name, flowInputs: plan.inputs, diagnostics: wrong };
}

/** @param told what is doubtful of the rows; a run that is made tells it itself */
async function openRows(
  spec: PartialEval,
  { folder }: EvalFile,
  told: ProjectHost | undefined,
): Promise<{ readonly source?: DataSource; readonly diagnostics: readonly Diagnostic[] }> {
  if (spec.data === undefined) return { diagnostics: [] };
  const path = resolve(folder, spec.data);
  const warn = (message: string): void => told && notify(told, { kind: 'warning', message });
  const opened = await openData(path, { warn });
  if (opened.ok) return { source: opened.data, diagnostics: [] };
  return { diagnostics: [subjectProblem(spec, 'data', opened.message, path, spec.data)] };
}

function subjectProblem(
  spec: PartialEval,
  key: 'flow' | 'data',
  message: string,
  path: string,
  written: string,
): Diagnostic {
  return {
    severity: 'error',
    code: 'EVAL_SUBJECT',
    message: message.replaceAll(path, written),
    span: spec.locate([key]),
    help: nearestPath(path, written) ?? 'paths start at the folder of this file',
  };
}
