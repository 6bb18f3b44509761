import { resolve } from 'node:path';
import { type DataSource, preventsRun, type RunInfo } from '@unroll/engine';
import {
  type Baseline,
  compareResults,
  type EvalResult,
  type EvalSpec,
  judgeBaseline,
  judgeSlices,
  NotInRun,
} from '@unroll/evals';
import { withNewBulk } from '../bulk/open-bulk.ts';
import { openRecordedData } from '../bulk/recorded-data.ts';
import { runBulkJob } from '../bulk/run-bulk-job.ts';
import { compose } from '../connections/compose.ts';
import { toldWhereSlow } from '../flows/told-where-slow.ts';
import { ProjectFailure } from '../host/project-failure.ts';
import { notify, type ProjectHost } from '../host/project-host.ts';
import { judgeLabelGates } from '../labels/label-gates.ts';
import { findRun } from '../records/find-run.ts';
import { shownPlace } from '../records/record-place.ts';
import { acceptHelp, openBaseline, refuseOther } from './baseline-file.ts';
import { comparisonDoubts } from './comparison-doubts.ts';
import { type EvalSettings, evalBulkSettings } from './eval-settings.ts';
import { EvaluationNotReady, RunStopped } from './evaluation-failures.ts';
import { fileEvaluators } from './file-evaluators.ts';
import { type EvalFile, findEval } from './find-eval.ts';
import { type Measures, measuresOf } from './measures.ts';
import { openEval } from './open-eval.ts';
import { openJudges } from './open-judges.ts';
import { type EvaluateOptions, type Evaluating, type Scoring, scoreRecord } from './score-record.ts';
import type { ScoredEvaluation } from './scored-evaluation.ts';
import { wholePictures } from './whole-pictures.ts';

export interface EvaluatedFile extends AsyncDisposable {
  /** Compared with the run it is held against, else with the accepted baseline, where there is one. */
  readonly result: EvalResult;
  readonly spec: EvalSpec;
  readonly found: EvalFile;
  readonly data: DataSource | undefined;
  /** Where its record is. */
  readonly run: string;
  /** The run it was compared with, scored as well; absent where that was the baseline, or none. */
  readonly against: ScoredEvaluation['against'];
  readonly baseline: Baseline | undefined;
  readonly measures: Measures;
  /** Scores another run of it. */
  score(record: string): Promise<EvalResult>;
}

/**
 * What an eval.yaml comes to: its flow run over its data, or a run that is there, scored, compared, gates judged.
 *
 * @throws ProjectFailure when there is no such evaluation, run or baseline, or the run was stopped
 */
export async function evaluateFile(
  given: string | undefined,
  settings: EvalSettings,
  options: EvaluateOptions,
  host: ProjectHost,
): Promise<EvaluatedFile> {
  const found = findEval(given, host);
  const composed = compose(host, found.folder, settings.bulk.connectionsFile);
  const files = fileEvaluators(found.folder, composed, host.folder, (message) =>
    notify(host, { kind: 'warning', message }),
  );
  try {
    const evaluated = await evaluateFound({ found, composed, files, settings, options, host });
    return { ...evaluated, [Symbol.asyncDispose]: () => files[Symbol.asyncDispose]() };
  } catch (error) {
    await files[Symbol.asyncDispose]();
    throw error;
  }
}

async function evaluateFound(evaluating: Evaluating): Promise<Omit<EvaluatedFile, typeof Symbol.asyncDispose>> {
  const { found, files, settings, options, host } = evaluating;
  const { isCompared = true } = options;
  const { connectionsFile } = settings.bulk;
  const opened = await openEval(found, { run: settings.run, by: settings.by, connectionsFile }, host, files.find);
  const { spec, data, record, flowName, diagnostics } = opened;
  if (spec === undefined || diagnostics.some(preventsRun)) throw new EvaluationNotReady(found.shown, diagnostics);
  if (diagnostics.length > 0) notify(host, { kind: 'diagnostics', diagnostics });
  if (record !== undefined) reportNotes(data, host);
  const baseline =
    isCompared && settings.against === undefined ? openBaseline(found, settings.baseline, host) : undefined;
  refuseOther(baseline, { spec, flowName }, found, settings.baseline, host);
  options.check?.(spec, found, baseline !== undefined || settings.against !== undefined);
  await checkJudgesReady(spec, evaluating);
  await toldWhereSlow(
    'evaluators are still being loaded',
    'their code is imported',
    host,
    files.load(options.loadingSeconds),
  );
  const run = record ?? (await runFlow(spec, evaluating));
  const scoring = { ...evaluating, spec, data };
  const scored = await scoreRecord(run, scoring);
  const against = isCompared && baseline === undefined ? await scoredAgainst(scoring) : undefined;
  const rows = spec.data === undefined ? undefined : resolve(found.folder, spec.data);
  const measures = await measuresOf(spec, scored, found.folder, host);
  const result = compared(scored, baseline ?? against?.result, spec, measures);
  tellDoubts({ spec, result, baseline }, evaluating);
  return {
    result: await judgeLabelGates(result, spec, { record: run, data: rows }, host),
    spec,
    found,
    data,
    run,
    against,
    baseline,
    measures,
    score: (other) => scoreRecord(other, scoring),
  };
}

/** A run that is made tells them itself. */
function reportNotes(data: DataSource | undefined, host: ProjectHost): void {
  for (const message of data?.notes ?? []) notify(host, { kind: 'warning', message });
}

async function scoredAgainst(scoring: Scoring): Promise<ScoredEvaluation['against']> {
  const { against } = scoring.settings;
  if (against === undefined) return undefined;
  const record = await findRun(against, scoring.host);
  try {
    const dataOf = (info: RunInfo, folder: string) => unchangedData(info, folder, scoring.spec);
    return { record, result: await scoreRecord(record, scoring, dataOf) };
  } catch (error) {
    if (!(error instanceof NotInRun)) throw error;
    const { found, host } = scoring;
    throw new ProjectFailure(`${found.shown} cannot score ${shownPlace(record, host.folder)}: ${error.message}`, {
      code: 'EvaluationNotReady',
      help: 'A run that is compared needs the nodes that metrics are of.',
    });
  }
}

/** The data of a run, where it is there as it was then. */
async function unchangedData(info: RunInfo, folder: string, spec: EvalSpec): Promise<DataSource | undefined> {
  const recorded = await openRecordedData(info, folder, wholePictures(spec));
  return recorded?.state === 'same' ? recorded.data : undefined;
}

function tellDoubts(
  { spec, result, baseline }: Pick<EvaluatedFile, 'spec' | 'result' | 'baseline'>,
  { found, options, host }: Evaluating,
): void {
  if (options.isCompared === false) return;
  const doubts = comparisonDoubts(spec, result, baseline?.name, acceptHelp(found));
  for (const message of doubts) notify(host, { kind: 'warning', message });
}

function compared(
  result: EvalResult,
  before: EvalResult | Baseline | undefined,
  { metrics, seed }: EvalSpec,
  measures: Measures,
): EvalResult {
  const gates = new Map(metrics.map(({ name, gate }) => [name, gate]));
  const held =
    before === undefined
      ? result
      : judgeBaseline(compareResults(before, result, { seed, measures }), (name) => gates.get(name));
  return judgeSlices(held, (name) => gates.get(name)?.eachSlice);
}

/** Runs the flow over all rows. @returns the record's file */
async function runFlow(spec: EvalSpec, { found, settings, options, host }: Evaluating): Promise<string> {
  const bulk = evalBulkSettings(spec, found, settings.bulk, host);
  const { record, result } = await withNewBulk(bulk, host, (job) => runBulkJob(job, host, options.signal));
  if (result.stopped) throw new RunStopped(record.file, found.shown);
  return record.file;
}

/** All flows that judge can run; what cannot is told before anything is spent. */
async function checkJudgesReady(spec: EvalSpec, { found, settings, options, host }: Evaluating): Promise<void> {
  const { connectionsFile, cassette } = settings.bulk;
  // Nothing is asked yet, so nothing is to be written on a cassette.
  const replayed = cassette !== undefined && 'replay' in cassette ? cassette : undefined;
  const judging = { connectionsFile, cassette: replayed, asksAgain: settings.asksAgain, signal: options.signal };
  await using _judges = await openJudges(spec, found, judging, host);
}
