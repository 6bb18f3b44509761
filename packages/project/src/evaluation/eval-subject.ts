import { resolve } from 'node:path';
import {
  type DataRow,
  type Diagnostic,
  eachOf,
  type FlowInputSpec,
  firstOf,
  flowFilesOf,
  locateFlow,
  nearestSpan,
  preventsRun,
  type RunInfo,
  type RunReader,
  readSourceFile,
} from '@unroll/engine';
import { findMissingColumns, type Measurable, type MissingColumn, measurableIn, type PartialEval } from '@unroll/evals';
import { compose } from '../connections/compose.ts';
import { nearestPath } from '../host/nearest-path.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { openRecord } from '../records/open-record.ts';
import { flowDigest, runInfoOf } from '../records/run-info.ts';
import { checkChoices } from './check-choices.ts';
import type { EvalFile } from './find-eval.ts';

/** What metrics can look at, and what is wrong with it. */
export function openSubject(
  { file, problem }: { readonly file?: string; readonly problem?: Diagnostic },
  spec: PartialEval,
  found: EvalFile,
  connectionsFile: string | undefined,
  host: ProjectHost,
): Promise<Subject> | Subject {
  if (file !== undefined) return measurableOfRecord(file, spec, found, host);
  if (problem !== undefined) return { diagnostics: [] };
  return measurableOfFlow(spec, found, host, connectionsFile);
}

/** What is evaluated. */
export interface Subject {
  readonly measurable?: Measurable;
  readonly flowName?: string;
  /** Of a flow that will be run. */
  readonly flowInputs?: readonly FlowInputSpec[];
  /** Columns that no row of a run has, where its own inputs are the rows. */
  readonly missing?: readonly MissingColumn[];
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
    ...(spec.data === undefined ? { missing: await missingInputs(spec, store) } : {}),
    diagnostics: otherFlow(store.info, spec, found, host),
  };
}

/** By which scores were to be told apart. */
async function missingInputs({ slices = [] }: PartialEval, store: RunReader): Promise<readonly MissingColumn[]> {
  const rows = async function* (): AsyncGenerator<DataRow> {
    for await (const { line, inputs } of eachOf(store.readRows({ nodes: [], ends: [] })))
      yield { line, values: inputs };
  };
  return await findMissingColumns({ metrics: [], slices }, rows());
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

/** A flow or data that cannot be opened. */
export function subjectProblem(
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
