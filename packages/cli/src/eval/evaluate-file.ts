import {
  type DataSource,
  type Diagnostic,
  diagnosticJson,
  formatDiagnostics,
  preventsRun,
  printJson,
  type Value,
  type WantedRecords,
} from '@unroll/engine';
import {
  type Baseline,
  compareResults,
  type EvalResult,
  type EvalSpec,
  joinData,
  judgeBaseline,
  scoreRun,
} from '@unroll/evals';
import {
  type Composition,
  compose,
  findPrices,
  findRun,
  openRecord,
  ProjectFailure,
  recordedCosts,
  runIdOf,
  shownPath,
} from '@unroll/project';
import type { CommandCall } from '../command-spec.ts';
import { exitCode } from '../exit-code.ts';
import { textOf } from '../option-values.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { usesColor } from '../text/style.ts';
import { acceptHelp, baselinePath, openBaseline } from './baseline-file.ts';
import { evalSettings } from './eval-settings.ts';
import { type FileEvaluators, fileEvaluators } from './file-evaluators.ts';
import { connectionsFileOf, type EvalFile, evalName, findEval, openEval } from './open-eval.ts';
import { openJudges } from './open-judges.ts';
import { textEmbedders } from './text-embedders.ts';

export interface EvaluatedFile extends AsyncDisposable {
  /** Compared with the run that --against names, else with the accepted baseline, where there is one. */
  readonly result: EvalResult;
  readonly spec: EvalSpec;
  readonly found: EvalFile;
  readonly data: DataSource | undefined;
  /** The record's file. */
  readonly run: string;
  /** Scores another run of it. */
  score(record: string): Promise<EvalResult>;
}

export interface EvaluateOptions {
  readonly isCompared?: boolean;
  /** Asked before anything runs. @throws ProjectFailure when it is not to run */
  check?(spec: EvalSpec, found: EvalFile, hasBaseline: boolean): void;
}

/**
 * What an eval.yaml comes to: its flow run over its data, or the run that --run names, scored, compared, gates judged.
 *
 * @returns the exit code, all told, where it came to no end
 * @throws ProjectFailure when there is no such evaluation, run or baseline
 */
export async function evaluateFile(
  call: CommandCall,
  { isCompared = true, check }: EvaluateOptions = {},
): Promise<EvaluatedFile | number> {
  const found = findEval(call.arguments[0], call.io);
  const composed = compose(call.io, found.folder, connectionsFileOf(call.options));
  const files = fileEvaluators(found.folder, composed, call.io.folder);
  let isKept = false;
  try {
    const evaluated = await evaluateFound(found, { composed, files, isCompared, check }, call);
    isKept = typeof evaluated !== 'number';
    return typeof evaluated === 'number'
      ? evaluated
      : { ...evaluated, [Symbol.asyncDispose]: () => files[Symbol.asyncDispose]() };
  } finally {
    if (!isKept) await files[Symbol.asyncDispose]();
  }
}

interface EvaluateFound {
  readonly composed: Composition;
  readonly files: FileEvaluators;
  readonly isCompared: boolean;
  readonly check: EvaluateOptions['check'];
}

async function evaluateFound(
  found: EvalFile,
  { composed, files, isCompared, check }: EvaluateFound,
  call: CommandCall,
): Promise<Omit<EvaluatedFile, typeof Symbol.asyncDispose> | number> {
  const opened = await openEval(found, textOf(call.options, 'run'), call, files.find);
  if (opened.spec === undefined || opened.diagnostics.some(preventsRun)) return refuse(opened.diagnostics, found, call);
  tellWarnings(opened.diagnostics, call);
  const { spec, data, record } = opened;
  if (record !== undefined) tellNotes(data, call);
  const baseline = isCompared && textOf(call.options, 'against') === undefined ? openBaseline(found, call) : undefined;
  check?.(spec, found, baseline !== undefined || textOf(call.options, 'against') !== undefined);
  if (!(await canJudge(spec, found, call))) return exitCode.wrong;
  await files.load();
  const run = record ?? (await runFlow(spec, found, call));
  if (typeof run === 'number') return run;
  const scoring = { spec, found, data, call, composed };
  const scored = await score(run, scoring);
  const before = baseline ?? (isCompared ? await scoredAgainst(scoring) : undefined);
  refuseOther(scored, baseline, found, call);
  const result = compared(scored, before, spec);
  return { result, spec, found, data, run, score: (other) => score(other, scoring) };
}

/** A run that is made tells them itself. */
function tellNotes(data: DataSource | undefined, { io }: CommandCall): void {
  for (const note of data?.notes ?? []) io.stderr.write(`warning: ${note}\n`);
}

interface Scoring {
  readonly spec: EvalSpec;
  readonly found: EvalFile;
  readonly data: DataSource | undefined;
  readonly composed: Composition;
  readonly call: CommandCall;
}

async function scoredAgainst(scoring: Scoring): Promise<EvalResult | undefined> {
  const { options, io } = scoring.call;
  const against = textOf(options, 'against');
  return against === undefined ? undefined : await score(findRun(against, hostOf({ options, io })), scoring);
}

/** @throws ProjectFailure where the baseline is one of another evaluation of another flow: what differs then tells nothing */
function refuseOther(result: EvalResult, baseline: Baseline | undefined, found: EvalFile, call: CommandCall): void {
  if (baseline === undefined || baseline.name === result.name || baseline.run.flow === result.run.flow) return;
  const path = shownPath(baselinePath(found, call), call.io.folder);
  throw new ProjectFailure(
    `${path} is the baseline of evaluation ${baseline.name} of flow ${baseline.run.flow}, not of ${result.name} of ${result.run.flow}`,
    { help: `${acceptHelp(found)} To compare runs of two flows: --against RUN.`, code: 'BaselineFileError' },
  );
}

function compared(result: EvalResult, before: EvalResult | Baseline | undefined, spec: EvalSpec): EvalResult {
  if (before === undefined) return result;
  const gates = new Map(spec.metrics.map(({ name, gate }) => [name, gate]));
  return judgeBaseline(compareResults(before, result, { seed: spec.seed }), (name) => gates.get(name));
}

/** Runs the flow over all rows. @returns the record's file, or the exit code where the run came to no end */
async function runFlow(spec: EvalSpec, found: EvalFile, call: CommandCall): Promise<string | number> {
  const { runForRecord } = await import('../commands/run-bulk.ts');
  const ran = await runForRecord(evalSettings(spec, found, call), call);
  if (ran === undefined) return exitCode.wrong;
  if (!ran.stopped) return ran.file;
  const run = runArgument(runIdOf(ran.file), call.options);
  call.io.stderr.write(
    `stopped; it goes on, and is scored then, with\n  flow run --resume ${run}\n  flow eval ${found.shown} --run ${run}\n`,
  );
  return exitCode.interrupted;
}

/** Whether all flows that judge can run; what cannot is told before anything is spent. */
async function canJudge(spec: EvalSpec, found: EvalFile, call: CommandCall): Promise<boolean> {
  // Nothing is asked yet, so nothing is to be written on a cassette.
  const options = { ...call.options, record: undefined };
  await using judges = await openJudges(spec, found, { ...call, options });
  return judges !== undefined;
}

/** Says nothing until `speak`: what is wrong with a judge was told before. */
function silent(call: CommandCall): { readonly call: CommandCall; readonly speak: () => void } {
  const { stderr } = call.io;
  let isSilent = true;
  const write = (text: string): void => {
    if (!isSilent) stderr.write(text);
  };
  const speak = (): void => {
    isSilent = false;
  };
  return { call: { ...call, io: { ...call.io, stderr: { ...stderr, write } } }, speak };
}

async function score(run: string, { spec, found, data, call, composed }: Scoring): Promise<EvalResult> {
  const opening = silent(call);
  await using judges = await openJudges(spec, found, opening.call, { tellsDrift: call.options['quiet'] !== true });
  opening.speak();
  await using store = openRecord(run, hostOf(call));
  const { info } = store;
  const joined = data === undefined ? {} : { data: joinData(data.batches(), info, data.digest === info.data?.digest) };
  const rows = {
    info,
    tokens: () => store.tokens(),
    readRows: (wanted: WantedRecords) => store.readRows(wanted),
  };
  return await scoreRun(spec, rows, {
    name: evalName(spec, found),
    path: shownPath(run, call.io.folder),
    priceOf: recordedCosts(info, findPrices(call.io)),
    openEmbedder: textEmbedders(composed, call.io),
    ...(judges === undefined ? {} : { judges }),
    ...joined,
  });
}

function tellWarnings(diagnostics: readonly Diagnostic[], { io, options }: CommandCall): void {
  if (diagnostics.length === 0) return;
  io.stderr.write(`${formatDiagnostics(diagnostics, { color: usesColor(io.stderr, io, options['color']) })}\n\n`);
}

function refuse(diagnostics: readonly Diagnostic[], { shown }: EvalFile, { io, options }: CommandCall): number {
  if (options['json'] === true) {
    const report = { ok: false, eval: shown, diagnostics: diagnostics.map(diagnosticJson) };
    io.stdout.write(`${printJson(report as unknown as Value, 2)}\n`);
  } else io.stderr.write(`${formatDiagnostics(diagnostics, { color: usesColor(io.stderr, io, options['color']) })}\n`);
  return exitCode.wrong;
}
