import { diagnosticJson, formatDiagnostics, type JsonValue, stringifyJson } from '@unroll/engine';
import {
  type EvalSettings,
  type EvaluatedFile,
  type EvaluateOptions,
  EvaluationNotReady,
  evaluateFile,
  FlowNotReady,
  madeFolder,
  type ProjectHost,
  type RunForRecord,
  RunStopped,
  runIdOf,
} from '@unroll/project';
import { readBulkSettings } from '../bulk/read-bulk-settings.ts';
import { runForRecord } from '../bulk/run-dataset.ts';
import { exitCode } from '../exit-code.ts';
import type { Io } from '../io.ts';
import type { AcceptSettings } from '../options/eval-options.ts';
import { hostOf, runArgument } from '../project-host.ts';
import { reportNotReady } from '../reporters/not-ready.ts';
import { usesColor } from '../text/style.ts';

/** What all commands that evaluate are told; some can print JSON. */
type EvaluationSettings = AcceptSettings & { readonly against?: string | undefined; readonly json?: boolean };

/** What the command line says of an evaluation. */
export function evalSettingsOf(settings: EvaluationSettings, io: Io): EvalSettings {
  return {
    run: settings.run,
    against: settings.against,
    baseline: settings.baseline,
    bulk: readBulkSettings({ ...settings, run: undefined }, io),
    asksAnew: !settings.cache,
  };
}

/** What is doubtful in an evaluation is told beside its JSON too. */
export function evalHostOf(settings: EvaluationSettings, io: Io): ProjectHost {
  return hostOf({ ...settings, json: false }, io);
}

/** Runs for an evaluation, progress shown; where outputs are given, without a word among the runs that commands make. */
export function evalRunner(settings: EvaluationSettings, io: Io): RunForRecord {
  return (bulk, given) => {
    const runsDir = madeFolder(hostOf(settings, io).runsFolder);
    const output = given === undefined ? settings : { ...settings, runsDir, quiet: true };
    return runForRecord(bulk, output, io, given);
  };
}

/**
 * The evaluation that the command line names.
 *
 * @returns the exit code, all told, where it came to no end
 */
export async function evaluateNamed(
  settings: EvaluationSettings,
  io: Io,
  options: Pick<EvaluateOptions, 'isCompared' | 'check'> = {},
): Promise<EvaluatedFile | number> {
  const running = { ...options, runForRecord: evalRunner(settings, io), signal: () => io.interruption() };
  try {
    return await evaluateFile(settings.evaluation, evalSettingsOf(settings, io), running, evalHostOf(settings, io));
  } catch (error) {
    return reportUnended(error, settings, io);
  }
}

/** Tells why an evaluation came to no end. @throws the error itself where it is to be told as any other */
export function reportUnended(error: unknown, settings: EvaluationSettings, io: Io): number {
  if (error instanceof FlowNotReady) return reportNotReady(error, io, { color: settings.color });
  if (error instanceof EvaluationNotReady) return reportMistakes(error, settings, io);
  if (!(error instanceof RunStopped)) throw error;
  const run = runArgument(runIdOf(error.record), settings);
  io.stderr.write(
    error.givenTo === undefined
      ? `stopped; it goes on, and is scored then, with\n  flow run --resume ${run}\n  flow eval ${error.evaluation} --run ${run}\n`
      : `stopped while the output of ${error.givenTo} was given: nothing is told\n`,
  );
  return exitCode.interrupted;
}

function reportMistakes({ file, diagnostics }: EvaluationNotReady, settings: EvaluationSettings, io: Io): number {
  if (settings.json) {
    const report = { ok: false, eval: file, diagnostics: diagnostics.map(diagnosticJson) };
    io.stdout.write(`${stringifyJson(report as unknown as JsonValue, 2)}\n`);
  } else io.stderr.write(`${formatDiagnostics(diagnostics, { color: usesColor(io.stderr, io, settings.color) })}\n`);
  return exitCode.wrong;
}
