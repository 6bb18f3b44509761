import type { EvalResult } from '@unroll/evals';
import { isPassed } from '@unroll/evals';
import type { AcceptedBaseline } from '../evaluation/accept-baseline.ts';
import type { checkAsks } from '../evaluation/check-asks.ts';
import type { EvaluatedFile } from '../evaluation/evaluate-file.ts';
import type { OracleReport } from '../evaluation/oracle-runs.ts';
import type { ScoredEvaluation } from '../evaluation/scored-evaluation.ts';
import type { ProjectHost } from '../host/project-host.ts';
import { runIdOf } from '../records/record-place.ts';
import { type Operation, startOperation } from './operation.ts';
import { readSettings } from './read-settings.ts';
import { type DatasetRunEvent, heardByDataset } from './run-operations.ts';
import {
  bulkSettingsOf,
  type EvaluationSettings,
  evaluationSettings,
  type OracleRunSettings,
  oracleRunSettings,
} from './settings.ts';

/** What an evaluation came to. */
export interface Evaluation {
  readonly result: EvalResult;
  /** Whether every gate is met. */
  readonly isPassed: boolean;
  /** Id of the run that was scored. */
  readonly run: string;
  /** With what it was made from: what pages show of it. */
  readonly scored: ScoredEvaluation;
}

/** Events are those of the runs that are made for it. */
export type EvaluationRun = Operation<DatasetRunEvent, Evaluation>;

/** An evaluation, or with `asks` one that must have gates, and a baseline where one is held to it. */
export function startEvaluation(
  evaluation: string,
  given: EvaluationSettings,
  host: ProjectHost,
  { asks = false }: { readonly asks?: boolean } = {},
): EvaluationRun {
  const settings = readSettings(evaluationSettings, given);
  return startOperation<DatasetRunEvent, Evaluation>(async (emit, signal) => {
    const check = asks ? { check: (await import('../evaluation/check-asks.ts')).checkAsks } : {};
    await using evaluated = await evaluateNamed(evaluation, settings, { emit, signal, host, ...check });
    const { result, run, spec, found, against, baseline } = evaluated;
    const scored = {
      ...{ path: found.shown, spec, result, record: run },
      ...(against === undefined ? {} : { against }),
      ...(baseline === undefined ? {} : { baseline }),
    };
    return { result, isPassed: isPassed(result), run: runIdOf(run), scored };
  }, settings.signal);
}

/** An evaluation whose result is written as the baseline; it is compared with none. */
export function startBaseline(
  evaluation: string,
  given: EvaluationSettings,
  host: ProjectHost,
): Operation<DatasetRunEvent, AcceptedBaseline> {
  const settings = readSettings(evaluationSettings, given);
  return startOperation<DatasetRunEvent, AcceptedBaseline>(async (emit, signal) => {
    await using evaluated = await evaluateNamed(evaluation, settings, { emit, signal, host, isCompared: false });
    const { acceptBaseline } = await import('../evaluation/accept-baseline.ts');
    return await acceptBaseline(evaluated, settings.baseline, host);
  }, settings.signal);
}

export function startOracle(
  evaluation: string,
  given: OracleRunSettings,
  host: ProjectHost,
): Operation<DatasetRunEvent, OracleReport> {
  const { nodes = [], metrics = [], from, isSweep = false, ...settings } = readSettings(oracleRunSettings, given);
  return startOperation<DatasetRunEvent, OracleReport>(async (emit, signal) => {
    await using evaluated = await evaluateNamed(evaluation, settings, { emit, signal, host, isCompared: false });
    const oracle = { nodes, metrics, from, isSweep, bulk: await bulkOf(settings, host), signal };
    const { runOracle } = await import('../evaluation/oracle-runs.ts');
    return await runOracle(evaluated, oracle, heardByDataset(host, emit));
  }, settings.signal);
}

type ReadSettings = ReturnType<typeof readSettings<typeof evaluationSettings>>;

interface Evaluating {
  readonly emit: (event: DatasetRunEvent) => void;
  readonly signal: AbortSignal;
  readonly host: ProjectHost;
  readonly isCompared?: boolean;
  readonly check?: typeof checkAsks;
}

async function evaluateNamed(
  evaluation: string,
  settings: ReadSettings,
  evaluating: Evaluating,
): Promise<EvaluatedFile> {
  const { emit, host, ...options } = evaluating;
  const { run, against, by, baseline, asksAgain } = settings;
  const { evaluateFile } = await import('../evaluation/evaluate-file.ts');
  return await evaluateFile(
    evaluation,
    { run, against, by, baseline, asksAgain, bulk: await bulkOf(settings, host) },
    options,
    heardByDataset(host, emit),
  );
}

async function bulkOf(
  { run: _, against: _with, by: _apart, baseline: _held, asksAgain: _anew, signal: _stop, ...given }: ReadSettings,
  host: ProjectHost,
) {
  return await bulkSettingsOf(undefined, given, host);
}
