import { resolve } from 'node:path';
import { type DataSource, type Diagnostic, nearestSpan, openData, readSourceFile } from '@unroll/engine';
import {
  checkColumns,
  checkDerived,
  checkEval,
  type EvalSpec,
  evaluators,
  type FindEvaluator,
  findMissingColumns,
  type PartialEval,
  parseEval,
} from '@unroll/evals';
import { compose } from '../connections/compose.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { findRun } from '../records/find-run.ts';
import { checkEvaluatorConnections } from './check-choices.ts';
import { checkJudges } from './check-judges.ts';
import { openSubject, type Subject, subjectProblem } from './eval-subject.ts';
import type { EvalFile } from './find-eval.ts';
import { wholePictures } from './whole-pictures.ts';

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

export interface OpenedWith {
  /** To score in place of what the evaluation names. */
  readonly run?: string | undefined;
  /** Columns by which scores are told apart, in place of those that the evaluation names. */
  readonly by?: readonly string[] | undefined;
  readonly connectionsFile?: string | undefined;
}

/**
 * Reads an evaluation and checks it against its data and against what it measures.
 *
 * @param find evaluators in files beside it
 * @throws ProjectFailure when there is no such run
 */
export async function openEval(
  found: EvalFile,
  { run, by, connectionsFile }: OpenedWith,
  host: ProjectHost,
  find: FindEvaluator = () => undefined,
): Promise<OpenedEval> {
  const source = readSourceFile(found.file, host.folder);
  const parsed = parseEval(source, { evaluators, find, scoresRun: run !== undefined, slices: by });
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
  { measurable, flowInputs, missing: missingInputs = [] }: Subject,
  data: DataSource | undefined,
): Promise<readonly Diagnostic[]> {
  const empty = data === undefined ? undefined : await whyNoRows(spec, data);
  if (empty !== undefined) return [empty, ...(measurable === undefined ? [] : checkEval(spec, measurable, []))];
  const missing = data === undefined ? missingInputs : await findMissingColumns(spec, data.rows());
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

/** @param told what is doubtful of the rows; a run that is made tells it itself */
async function openRows(
  spec: PartialEval,
  { folder }: EvalFile,
  told: ProjectHost | undefined,
): Promise<{ readonly source?: DataSource; readonly diagnostics: readonly Diagnostic[] }> {
  if (spec.data === undefined) return { diagnostics: [] };
  const path = resolve(folder, spec.data);
  const warn = (message: string): void => told && notify(told, { kind: 'warning', message });
  const opened = await openData(path, { warn, located: wholePictures(spec) });
  if (opened.ok) return { source: opened.data, diagnostics: [] };
  return { diagnostics: [subjectProblem(spec, 'data', opened.message, path, spec.data)] };
}
